import InspectorUI
import Testing
import TraceModel

/// Names that a user gives to nodes of the map.
@Suite struct MapTagsTests {
  private static func model(settings: Settings = Settings()) -> Model {
    var model = Model(size: Size(columns: 120, rows: 40), screen: .map, settings: settings)
    _ = model.update(.inspection(MapFixture.diamond(), at: .end))
    return model
  }

  private static func press(_ keys: String, _ model: inout Model) {
    for key in Key.script(keys) { _ = model.update(.key(key)) }
  }

  @Test func aTagIsShownOnItsNodeInBoxesAndInLines() {
    var model = Self.model()
    Self.press("/combine<Enter>:tag hot spot<Enter>", &model)
    #expect(model.frame().text.contains("[hot spot]"))
    Self.press("_", &model)
    #expect(model.frame().text.contains("[hot spot]"))
    _ = model.update(.inspection(MapFixture.diamond(), at: .end))
    #expect(model.frame().text.contains("[hot spot]"), "it stays when the program goes on")
  }

  @Test func aFilterFindsATagOnTheMapAndOnSites() {
    var model = Self.model()
    Self.press("/combine<Enter>:tag slow<Enter>\\tag=slow<Enter>", &model)
    #expect(model.frame().text.contains("combineLatest"))
    #expect(model.frame().text.contains("5 lines filtered away"))
    Self.press("s\\tag=slow<Enter>", &model)
    #expect(model.frame().text.contains("combineLatest"))
    #expect(!model.frame().text.contains("filter@"))
  }

  @Test func theSameNameRemovesATagAndAnotherReplacesIt() {
    var model = Self.model()
    Self.press("/combine<Enter>:tag slow<Enter>:tag odd<Enter>", &model)
    #expect(model.frame().text.contains("[odd]") && !model.frame().text.contains("[slow]"))
    Self.press(":tag odd<Enter>", &model)
    #expect(!model.frame().text.contains("[odd]"))
    #expect(model.frame().text.contains("is no longer tagged 'odd'"))
  }

  @Test func aTagThatTheSettingsCannotKeepIsRefused() {
    var inspection = MapFixture.diamond()
    for place in inspection.sites.indices {
      inspection.sites[place].file = String(repeating: "deep/", count: 100) + "Prices.swift"
    }
    var model = Self.model()
    _ = model.update(.inspection(inspection, at: .end))
    Self.press("/combine<Enter>:tag slow<Enter>", &model)
    #expect(model.frame().text.contains("This line cannot be tagged"))
    #expect(!model.frame().text.contains("[slow]"))
  }

  @Test func tagsAreKeptInTheSettingsByProgram() throws {
    var model = Self.model()
    Self.press("/combine<Enter>:tag slow at night<Enter>", &model)
    let effects = Key.script(":write-config<Enter>").flatMap { model.update(.key($0)) }
    var saved: Settings?
    for case .saveSettings(let settings) in effects { saved = settings }
    let text = try #require(saved).text
    #expect(text.contains("tag.diamond = slow at night at combineLatest@App/Prices.swift:20:5"))
    let (settings, problems) = Settings.parse(text)
    #expect(problems.isEmpty)
    #expect(Self.model(settings: settings).frame().text.contains("[slow at night]"))
    var other = Model(size: Size(columns: 120, rows: 40), screen: .map, settings: settings)
    var inspection = MapFixture.diamond()
    inspection.program.name = "another program"
    _ = other.update(.inspection(inspection, at: .end))
    #expect(!other.frame().text.contains("[slow"))
  }

  @Test func anInvalidTagIsReported() {
    var model = Self.model()
    Self.press("g:tag a=b<Enter>", &model)
    #expect(model.frame().text.contains("A tag must not contain '='"))
    Self.press(":tag a name that is far longer than a node<Enter>", &model)
    #expect(model.frame().text.contains("A tag has at most 24 characters"))
    #expect(Settings.parse("tag.app = nothing").problems.count == 1)
    #expect(Settings.parse("tag. = a at map@A/B.swift:1:1").problems.count == 1)
  }
}
