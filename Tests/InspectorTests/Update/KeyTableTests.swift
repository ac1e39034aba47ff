import InspectorUI
import Testing
import TraceModel

@Suite struct KeyTableTests {
  @Test func noKeyHasTwoMeanings() {
    var seen: [Key: Command] = [:]
    for binding in KeyTable.all {
      for key in binding.keys {
        #expect(
          seen[key] == nil,
          "\(key.name) means \(binding.command) and \(String(describing: seen[key]))"
        )
        seen[key] = binding.command
        #expect(KeyTable.command(for: key) == binding.command)
      }
    }
  }

  @Test func everyKeyIsExplainedInTheHelp() throws {
    let help = try run("??", size: Size(columns: 100, rows: 200)).screen
    for binding in KeyTable.all {
      #expect(help.contains("  " + binding.keyNames), "\(binding.keyNames) is missing")
    }
    for group in KeyBinding.Group.allCases { #expect(help.contains(group.rawValue)) }
  }

  @Test func opensEachScreenOfTheBarWithALetterAndTheFirstNineWithADigit() throws {
    for (index, screen) in Screen.inBar.enumerated() {
      let binding = try #require(KeyTable.all.first { $0.command == .show(screen) })
      for key in binding.keys {
        var model = Model(size: .standard, screen: screen == .sites ? .signals : .sites)
        _ = model.update(.inspection(Fixture.watchtower(), at: .end))
        _ = model.update(.key(key))
        #expect(model.place.screen == screen)
      }
      if index < 9 { #expect(binding.keys.contains(.character(Character("\(index + 1)")))) }
    }
  }

  @Test func keyScriptsAreRead() {
    #expect(
      Key.script("aB<Enter><F1><^C><lt><Space>\\") == [
        .character("a"), .character("B"), .enter, .function(1), .control("c"), .character("<"),
        .character(" "), .character("\\"),
      ]
    )
  }

  @Test func aKeyWithoutAMeaningIsReported() throws {
    #expect(try run("y").screen.contains("y does nothing here; ? shows the keys."))
  }
}
