import InspectorUI
import Testing
import TraceModel

@Suite struct FrameTests {
  @Test func cutsOffWhatIsOutside() {
    var frame = Frame(size: Size(columns: 4, rows: 2))
    frame.put("abcdef", row: 0, column: 2)
    frame.put("x", row: 5, column: 0)
    frame.put("xyz", row: 1, column: -1)
    #expect(frame.text == "  ab\nyz\n")
  }

  @Test func neverCutsAWideCharacterInTwo() {
    var frame = Frame(size: Size(columns: 3, rows: 1))
    frame.put("a\u{4E2D}\u{4E2D}", row: 0, column: 0)
    #expect(frame.line(0) == "a\u{4E2D}")
    #expect(frame[0, 2].text == nil)
  }

  @Test(arguments: [
    Size(columns: 39, rows: 24), Size(columns: 80, rows: 9), Size(columns: 3, rows: 2),
  ])
  func saysWhenTheTerminalIsTooSmall(size: Size) {
    var model = Model(size: size)
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    #expect(
      model.frame().text.hasPrefix(
        size.columns == 3 ? "rxt" : "rxtop needs 40 columns and 10 lines;"
      )
    )
    #expect(Model(size: Size(columns: 0, rows: 0)).frame().text.isEmpty)
  }

  @Test func everyScreenCanBeDrawnAtEverySize() {
    for screen in Screen.allCases {
      for rows in [0, 1, 9, 10, 11, 13, 14, 50] {
        for columns in [0, 1, 39, 40, 41, 79, 300] {
          let size = Size(columns: columns, rows: rows)
          let model = ScreenGoldenTests.model(screen, size: size)
          #expect(model.frame().size == size)
        }
      }
    }
  }

  @Test(arguments: ScreenGoldenTests.sizes) func showsALossOnEveryScreen(size: Size) {
    for screen in Screen.allCases {
      var model = Model(size: size, screen: screen)
      _ = model.update(.inspection(Fixture.lossy(), at: .end))
      let top = (0..<size.columns).filter { model.frame()[0, $0].role == .loss }
      #expect(top.count >= 6, "\(screen)")
      #expect(model.frame().line(0).contains("LOST"))
    }
    var model = Model(size: size)
    _ = model.update(.inspection(Fixture.lossy(), at: .end))
    let isShown = model.frame().text.contains("lost: 1 214 events dropped")
    #expect(isShown == (size.rows >= 14))
  }

  @Test func onlyColouredTextHasEscapes() {
    let frame = ScreenGoldenTests.model(.sites, size: .standard).frame()
    #expect(!ANSIText(palette: nil).render(frame).contains("\u{1B}"))
    let colored = ANSIText(palette: .color).render(frame)
    #expect(colored.contains("\u{1B}[0;33m"))
  }
}
