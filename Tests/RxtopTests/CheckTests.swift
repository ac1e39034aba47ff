import Foundation
import Testing

/// `rxtop check`, with and without a baseline, on a sample trace with two leaks.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct CheckTests {
  private static let trace = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces/watchtower-leak.rxtrace").path

  @Test func aKnownFindingDoesNotFail() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    #expect(try Programs.rxtop("check", Self.trace).status == 1)
    let written = try Programs.rxtop("check", "--write-baseline", file, Self.trace)
    #expect(written.status == 0)
    #expect(written.output.hasPrefix("2 findings in "))
    let again = try Programs.rxtop("check", "--baseline", file, "--fail-on", "info", Self.trace)
    #expect(again.status == 0)
    #expect(again.output.contains("known    LEAK growth-at-site, subscribe@Pane.swift:94"))
  }

  @Test func aNewFindingFails() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    try "allow kind=growth-at-site until=never on purpose\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Programs.rxtop("check", "--baseline", file, "--json", Self.trace)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("\"standing\": \"new\"")
        || outcome.output.contains("\"standing\":\"new\"")
    )
    #expect(outcome.output.contains("on purpose"))
  }

  @Test func writingABaselineKeepsAllowances() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    let allow = "# ours\nallow kind=stall until=never the tail waits\nknown 0 0 LEAK\n"
    try "# ours\nallow kind=stall until=never the tail waits\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Programs.rxtop("check", "--write-baseline", file, Self.trace).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("# ours\nallow kind=stall until=never the tail waits\nknown "))
    try allow.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Programs.rxtop("check", "--baseline", file, Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("line 3: expected known, two fingerprints"))
  }

  @Test func aFileThatCannotBeReadIsNotReplacedByABaseline() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    let latin1 = Data("allow kind=stall until=never caf".utf8) + [0xE9, 0x0A]
    try latin1.write(to: URL(filePath: file))
    let outcome = try Programs.rxtop("check", "--write-baseline", file, Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("a text file in UTF-8 that this user may read was expected"))
    #expect(try Data(contentsOf: URL(filePath: file)) == latin1)
  }

  @Test func linesOfABaselineMayEndAsOnWindows() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    #expect(try Programs.rxtop("check", "--write-baseline", file, Self.trace).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("\n", with: "\r\n").write(toFile: file, atomically: true, encoding: .utf8)
    let again = try Programs.rxtop("check", "--baseline", file, "--fail-on", "info", Self.trace)
    #expect(again.status == 0)
  }

  @Test(.enabled("Python is not installed", { PythonReader.python != nil }))
  func aReaderThatClosesThePipeDoesNotChangeTheStatus() throws {
    let script = """
      import os, subprocess, sys
      reading, writing = os.pipe()
      os.close(reading)
      sys.exit(subprocess.run(sys.argv[2:], **{sys.argv[1]: writing}).returncode)
      """
    let (python, rxtop) = (try #require(PythonReader.python), try #require(Programs.rxtop))
    for stream in ["stdout", "stderr"] {
      let arguments = ["-c", script, stream, rxtop, "check", "--format", "github", Self.trace]
      #expect(try Programs.run(python, arguments).status == 1, "\(stream)")
    }
  }

  @Test(arguments: ["fingerprint", "looseFingerprint"])
  func eitherFingerprintAllowsAndExplainsAFinding(name: String) throws {
    let json = try Programs.rxtop("--json", Self.trace).output
    let parts = json.components(separatedBy: "\"\(name)\": \"")
    let value = try #require(parts.dropFirst().first).prefix(16)
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    try "allow fingerprint=\(value) until=never on purpose\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let check = try Programs.rxtop("check", "--baseline", file, Self.trace)
    #expect(check.output.contains("on purpose"), "\(check.output)")
    let explained = try Programs.rxtop("explain", Self.trace, "finding", String(value))
    #expect(explained.status == 0, "\(explained.errors)")
  }

  @Test func aMissingBaselineIsAnError() throws {
    let outcome = try Programs.rxtop("check", "--baseline", "/nowhere/baseline", Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("--write-baseline"))
    let both = try Programs.rxtop("check", "--baseline", "a", "--write-baseline", "b", Self.trace)
    #expect(both.status == 2)
    #expect(both.errors.contains("leave out --baseline or --write-baseline"))
  }

  @Test func aFileThatIsNoBaselineIsRefusedWithItsLine() throws {
    let outcome = try Programs.rxtop("check", "--baseline", Self.trace, Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    try "{\"findings\": []}\n".write(toFile: file, atomically: true, encoding: .utf8)
    let foreign = try Programs.rxtop("check", "--baseline", file, "--format", "sarif", Self.trace)
    #expect(foreign.status == 3 && foreign.output.isEmpty)
    #expect(
      foreign.errors.contains(
        "line 1: '{\"findings\":' is not a statement; expected known or allow"
      )
    )
  }

  @Test func findingsThatDisappearedAreReported() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    #expect(try Programs.rxtop("check", "--write-baseline", file, Self.trace).status == 0)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ")[4] } == ["growth-at-site", "timer-without-subscriber"]
    )
    let sound = Self.trace.replacing("-leak", with: "")
    let text = try Programs.rxtop("check", "--baseline", file, sound)
    #expect(text.status == 0)
    #expect(text.output.contains("gone     LEAK growth-at-site subscribe Pane.swift:94"))
    for format in ["json", "sarif", "github", "junit"] {
      let outcome = try Programs.rxtop("check", "--baseline", file, "--format", format, sound)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("growth-at-site subscribe Pane.swift"), "\(format)")
    }
  }

  @Test func reportsUsePathsOfTheRepository() throws {
    let repository = URL(filePath: Self.trace).deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = "Examples/watchtower/Pane.swift"
    let root = repository.path
    let github = try Programs.rxtop(
      "check",
      "--format",
      "github",
      "--source-root",
      root,
      Self.trace
    )
    #expect(github.status == 1 && github.errors.isEmpty)
    #expect(github.output.hasPrefix("::error file=\(path),line=94,"))
    let scratch = try Scratch()
    let elsewhere = try Programs.rxtop(
      "check",
      "--format",
      "sarif",
      "--source-root",
      scratch.folder.path,
      Self.trace
    )
    #expect(elsewhere.status == 1)
    #expect(elsewhere.output.contains("\"uri\": \"watchtower/Pane.swift\""))
    #expect(elsewhere.errors.hasPrefix("rxtop: 1 file of findings was not found below '"))
    #expect(elsewhere.errors.contains("as 'watchtower/Pane.swift'; name the folder of the sources"))
    #expect(elsewhere.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (["--format", "xml"], "'xml'"),
    (["--format", "sarif", "--json"], "leave it or '--format sarif' out"),
    (["--source-root", "/nowhere"], "'--source-root /nowhere' is not a folder"),
  ])
  func mistakesOnTheCommandLineAreNamed(arguments: [String], words: String) throws {
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["check"] + arguments + [Self.trace]
    )
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func bothOptionsForJSONPrintTheSame() throws {
    let one = try Programs.rxtop("check", "--json", Self.trace)
    let other = try Programs.rxtop("check", "--format", "json", Self.trace)
    #expect(one.output == other.output && one.output.hasPrefix("{"))
  }

  @Test func helpNamesEveryKind() throws {
    let help = try Programs.rxtop("check", "--help").output
    for kind in ["growth-at-site", "backlog", "wrong-queue", "unhandled-error", "owner-ended"] {
      #expect(help.contains("  \(kind): "))
    }
  }
}
