import InspectorUI
import Testing
import TraceModel

@Suite struct ColorChoiceTests {
  @Test func autoUsesColourOnTerminalsUnlessTheEnvironmentForbidsIt() {
    #expect(ColorChoice.auto.palette(isTerminal: true, noColor: nil, term: "xterm") == .color)
    #expect(ColorChoice.auto.palette(isTerminal: true, noColor: "", term: "xterm") == .color)
    #expect(ColorChoice.auto.palette(isTerminal: true, noColor: "1", term: "xterm") == .mono)
    #expect(ColorChoice.auto.palette(isTerminal: false, noColor: nil, term: "xterm") == nil)
    #expect(ColorChoice.auto.palette(isTerminal: true, noColor: nil, term: "dumb") == nil)
  }

  @Test func alwaysAndNeverAreObeyed() {
    #expect(ColorChoice.always.palette(isTerminal: false, noColor: "1", term: nil) == .color)
    #expect(ColorChoice.never.palette(isTerminal: true, noColor: nil, term: "xterm") == .mono)
    #expect(ColorChoice.never.palette(isTerminal: false, noColor: nil, term: "xterm") == nil)
  }

  @Test func importantRolesDifferFromTextInBothPalettes() {
    for palette in Palette.allCases {
      let plain = palette.attributes(of: .text)
      for role in [Role.leak, .violation, .loss, .suspect, .activeBar, .match, .sortedHeading] {
        #expect(palette.attributes(of: role) != plain, "\(role) in \(palette)")
      }
      #expect(palette.attributes(of: Cell("x", isSelected: true)) != plain)
    }
  }
}
