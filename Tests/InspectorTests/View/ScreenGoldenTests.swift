import InspectorUI
import ReactiveTrace
import Testing
import TraceModel

@Suite struct ScreenGoldenTests {
  static let sizes = [
    Size(columns: 40, rows: 10), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40),
  ]

  @Test(arguments: Screen.allCases, sizes)
  func matchesTheGoldenFile(screen: Screen, size: Size) throws {
    let frame = Self.model(screen, size: size).frame()
    try Golden.expect(frame.framed, named: "\(screen.rawValue)-\(size.columns)x\(size.rows)")
  }

  @Test(arguments: Screen.allCases, sizes)
  func isLegibleInASCII(screen: Screen, size: Size) throws {
    let frame = Self.model(screen, size: size, glyphs: .ascii).frame()
    #expect(frame.text.utf8.allSatisfy { $0 < 0x80 })
    try Golden.expect(frame.framed, named: "\(screen.rawValue)-\(size.columns)x\(size.rows)-ascii")
  }

  @Test(arguments: Screen.allCases, sizes)
  func conveysEverythingWithoutColour(screen: Screen, size: Size) throws {
    let frame = Self.model(screen, size: size).frame()
    try Golden.expect(
      frame.framed + frame.looks,
      named: "\(screen.rawValue)-\(size.columns)x\(size.rows)-mono"
    )
  }

  @Test(arguments: sizes) func showsLossesAndUnknownValues(size: Size) throws {
    var model = Model(size: size)
    _ = model.update(.inspection(Fixture.lossy(), at: .end))
    try Golden.expect(model.frame().framed, named: "sites-lossy-\(size.columns)x\(size.rows)")
  }

  /// A model that shows a screen, after the keys that open it.
  static func model(_ screen: Screen, size: Size, glyphs: Glyphs = .utf8) -> Model {
    var model = Model(size: size, glyphs: glyphs)
    if let keys = storyKeys[screen] {
      return (try? play(keys, size: size, glyphs: glyphs).model) ?? model
    }
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    for key in Key.script(keys[screen] ?? "") { _ = model.update(.key(key)) }
    _ = model.update(.backtrace(chain: 1, Fixture.backtrace))
    return model
  }

  /// Keys that open the screens that need the records of a trace.
  static let storyKeys: [Screen: String] = [
    .marbles: "a<Left><Left><Left>", .queues: "h", .diff: "c",
  ]

  /// Further forms of screens, each with a name.
  static let forms: [(name: String, keys: String)] = [
    ("chain", "e/LookUp<Enter>nnC"), ("lanes", ":goto 1.6s<Enter>ujrV"),
    ("marbles-chain", ":goto 1.6s<Enter>ujja=<Left>"), ("detail-site", "s/lookUp<Enter>d"),
    ("detail-site-past", ":goto 1.6s<Enter>s/lookUp<Enter>d"),
  ]

  @Test(arguments: forms, sizes)
  func matchesTheGoldenFileInItsOtherForms(form: (name: String, keys: String), size: Size) throws {
    let frame = try play(form.keys, size: size).model.frame()
    try Golden.expect(frame.framed, named: "\(form.name)-\(size.columns)x\(size.rows)")
  }

  @Test(arguments: forms, sizes) func isLegibleInASCIIInItsOtherForms(
    form: (name: String, keys: String),
    size: Size
  ) throws {
    let frame = try play(form.keys, size: size, glyphs: .ascii).model.frame()
    #expect(frame.text.utf8.allSatisfy { $0 < 0x80 })
    try Golden.expect(
      frame.framed + frame.looks,
      named: "\(form.name)-\(size.columns)x\(size.rows)-ascii"
    )
  }

  /// Screens that have nothing to show say why, and what to do about it.
  @Test(arguments: Screen.allCases, sizes)
  func anEmptyScreenSaysWhyAndWhatToDo(screen: Screen, size: Size) throws {
    let names: [Screen: String] = [
      .map: "M", .sites: "s", .signals: "i", .subscriptions: "u", .graph: "r", .events: "e",
      .findings: "f", .marbles: "a", .queues: "h", .diff: "c", .detail: "d", .help: "?",
    ]
    var empty = Inspection()
    empty.program.status = .stopped
    empty.program.level = .events
    var model = Model(size: size)
    for message in [Message.inspection(empty, at: .end)]
      + Key.script(names[screen] ?? "").map(Message.key)
    {
      for case .query(let query) in model.update(message) {
        if case .queues = query { _ = model.update(.answered(query, .queues(QueueReport()))) }
        if case .base = query { _ = model.update(.answered(query, .base(SiteBase(empty)))) }
      }
    }
    try Golden.expect(
      model.frame().framed,
      named: "empty-\(screen.rawValue)-\(size.columns)x\(size.rows)"
    )
  }

  static let keys: [Screen: String] = [
    .map: "M", .sites: "s", .signals: "i", .subscriptions: "u", .graph: "ujr", .events: "e",
    .findings: "f", .detail: "u<Enter>", .help: "?",
  ]
}
