import Foundation
import Testing

extension Programs {
  /// The example relay as it was built along with the tests.
  static let relay = built("relay")
}

/// A program with hops over a queue, a timer, a task, an actor and the main thread.
///
/// The whole path of a parcel over these hops is printed by the program itself, by rxtop from its
/// trace after `kill -9`, and by rxtop from the packed trace when the executable is gone.
/// `Scripts/backtraces` checks the same for a release build.
@Suite(.enabled("rxtop and relay were not built beside the tests", { Programs.relay != nil }))
struct RelayTests {
  /// The functions on the path, from the last to the first, and for each a text that occurs on its
  /// line.
  private static let steps = [
    ("receive", "received.signal.subscribe"), ("register", "QueueScheduler.main.schedule"),
    ("transport", "ledger.schedule"), ("collect", "Task { await transport"),
    ("pack", "QueueScheduler.background.schedule"), ("post", "packing.schedule"),
  ]

  /// The function that makes the task in which an asynchronous `main` runs.
  private static let first = "main"

  @Test func theProgramItsTraceAndItsPackedTraceShowEveryPart() async throws {
    let scratch = try Scratch()
    let program = scratch.path("relay")
    try Programs.copy(try #require(Programs.relay), to: program)
    let trace = scratch.path("relay.rxtrace")
    let output = try await Self.run(program, trace, scratch)

    // The program prints the path at each of its stages.
    let sections = output.split(separator: "--- ").map(String.init)
    #expect(sections.count == 5)
    for (index, section) in sections.enumerated() {
      let expected = Self.steps.suffix(index + 2).map { "Relay.\($0.0)(_:)" } + [Self.first]
      Self.expect(Self.parts(of: section), toHave: expected)
    }

    // The trace has the same path.
    let lines = try Self.steps.map { name, text in
      "Relay.\(name)(_:) at \(try Self.place(of: text))"
    }
    let read = try Programs.rxtop("dump", "--backtraces", trace)
    #expect(read.status == 0, "\(read.errors)")
    Self.expect(Self.longest(read.output), toHave: lines + [Self.first])

    // The packed trace still has the path when the executable is gone.
    let packed = scratch.path("packed.rxtrace")
    #expect(try Programs.rxtop("pack", trace, "-o", packed).status == 0)
    try FileManager.default.removeItem(atPath: program)
    let bare = try Programs.rxtop("dump", "--backtraces", trace).output
    #expect(bare.contains("'\(program)' is not there any more") && !bare.contains("Relay.pack"))
    #expect(try Programs.rxtop("dump", "--backtraces", packed).output == read.output)
    #expect(try Programs.rxtop("dump", packed).output.contains("symbol 0 address="))

    // The packed trace still has the path when the executable was replaced by another one.
    try Programs.copy(try #require(Programs.rxtop), to: program)
    let other = try Programs.rxtop("dump", "--backtraces", trace).output
    #expect(other.contains("its build id differs") && !other.contains("Relay.pack"))
    #expect(try Programs.rxtop("dump", "--backtraces", packed).output == read.output)
  }

  @Test func withoutATraceEachStageSaysHowToGetOne() async throws {
    let scratch = try Scratch()
    let output = try await Self.run(try #require(Programs.relay), nil, scratch)
    #expect(output.matches(of: /RXTRACE=1/).count == 5)
  }

  /// Runs the program until the parcel has arrived, kills it, and returns its output.
  private static func run(
    _ path: String,
    _ trace: String?,
    _ scratch: Scratch
  ) async throws -> String {
    let out = scratch.path("out")
    try Data().write(to: URL(filePath: out))
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RXTRACE": trace.map { "events,size=1M,stacks=all,file=\($0)" } ?? "0"]
    ) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: out)
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let printed = { try String(contentsOfFile: out, encoding: .utf8) }
    try await eventually("the parcel has arrived") { try printed().contains("received parcel 1") }
    if let trace, let rxtop = Programs.rxtop {
      // A trace that is still being written cannot be packed.
      let refused = try Programs.run(rxtop, ["pack", trace])
      #expect(refused.status == 3 && refused.errors.contains("may still be recorded into"))
    }
    return try printed()
  }

  private static func parts(of text: String) -> [String] {
    var parts = [""]
    for line in text.split(separator: "\n") {
      if line.contains("… asynchronously invoked") {
        parts.append("")
      } else {
        parts[parts.count - 1] += line + "\n"
      }
    }
    return parts
  }

  /// The parts of the backtrace that has the most parts.
  private static func longest(_ output: String) -> [String] {
    output.split(separator: "chain ").map { parts(of: String($0)) }.max { $0.count < $1.count }
      ?? []
  }

  private static func expect(_ parts: [String], toHave texts: [String]) {
    #expect(parts.count == texts.count, "\(parts)")
    for (part, text) in zip(parts, texts) {
      let words = text.split(separator: " at ")
      let isThere = part.split(separator: "\n").contains { line in
        words.allSatisfy { line.contains($0) }
      }
      #expect(isThere, "'\(text)' is not in\n\(part)")
    }
  }

  /// A place, for example `Relay.swift:28`.
  ///
  /// The line is looked up in the source, so that it is never outdated.
  private static func place(of text: String) throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/relay/Relay.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let line = try #require(lines.lastIndex { $0.contains(text) }, "'\(text)' is gone") + 1
    return "Relay.swift:\(line)"
  }
}
