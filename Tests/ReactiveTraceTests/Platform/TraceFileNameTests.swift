import Testing

@testable import ReactiveTrace

@Suite struct TraceFileNameTests {
  @Test(
    arguments: [
      ("watchtower", "watchtower"),
      ("my-tool_2.0+x", "my-tool_2.0+x"),
      ("../../etc/passwd", "_.___.._etc_passwd"),
      (".hidden", "_hidden"),
      ("-rf", "_rf"),
      ("a b\n\u{1B}[2J", "a_b___2J"),
      ("naïve", "na__ve"),
      ("$(reboot)", "__reboot_"),
      ("", "program"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 64)),
    ] as [(String, String)]
  )
  func aFileNameIsHarmlessWhateverTheProgramIsCalled(program: String, expected: String) {
    let name = TraceFileName(program: program, process: 12, start: 345)
    let safe = expected.replacing("_.___.._etc", with: "_._.._etc")
    #expect(name.text == safe + "-12-345.rxtrace")
    #expect(TraceFileName(parsing: name.text) == name)
    #expect(!name.text.contains("/") && name.text.utf8.count < 255)
  }

  @Test(
    arguments: [
      "", "x.rxtrace", "x-1.rxtrace", "x-1-2", "x-1-2.rxtrace.tmp", "x-0-2.rxtrace",
      "x--1-2.rxtrac",
      "x-1-+2.rxtrace", "x-01-2.rxtrace", "x-1-99999999999999999999.rxtrace",
      "x-9999999999-2.rxtrace",
      ".x-1-2.rxtrace",
    ]
  )
  func recognizesOnlyFileNamesOfRecordings(name: String) {
    #expect(TraceFileName(parsing: name) == nil)
  }
}
