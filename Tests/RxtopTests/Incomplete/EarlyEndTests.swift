import Foundation
import Glibc
import ReactiveTrace
import Testing

/// A stream that stopped before its program did: every command says that it stopped, where, and
/// why.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct EarlyEndTests {
  struct End: Sendable, CustomTestStringConvertible {
    let fields: String
    let cause: String
    let reason: String
    var error: Int32?

    var testDescription: String { reason }
  }

  static let ends = [
    End(
      fields: "tailState=limitReached limit=131072",
      cause: "limitReached",
      reason: "its file had reached its 'limit'"
    ),
    End(
      fields: "tailState=failed tailError=\(ENOSPC)",
      cause: "streamFailed",
      reason: "the disk was full",
      error: ENOSPC
    ),
    End(
      fields: "tailState=failed tailError=\(EBADF)",
      cause: "streamFailed",
      reason: "the program had closed the descriptor of its file",
      error: EBADF
    ),
    End(
      fields: "tailState=failed tailError=\(EFBIG)",
      cause: "streamFailed",
      reason: "the program may not make larger files",
      error: EFBIG
    ),
    End(fields: "tailState=failed", cause: "streamFailed", reason: "of an unknown error"),
  ]

  private static let leak = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces/watchtower-leak.rxtrace")

  /// The small trace as a stream, whose end is described in its header and in a record.
  private static func file(_ fields: String, record: String = "", in scratch: Scratch) throws
    -> String
  {
    let path = scratch.path("app.rxtrace")
    let text = "header mode=stream \(fields)\n" + SmallTrace.text + "\n" + record
    try SmallTrace.write(text, to: path)
    return path
  }

  @Test(arguments: ends)
  func everyCommandSaysWhereTheStreamEndsAndWhy(end: End) throws {
    let scratch = try Scratch()
    let path = try Self.file(
      end.fields,
      record: "  +1900000000 tail-ended why=3 error=0",
      in: scratch
    )
    let sentence = "the stream ends after about 1.9 s, because \(end.reason): "
    for screen in ["sites", "events", "findings", "subscriptions", "queues"] {
      let once = try Programs.rxtop("--once", "--screen", screen, path)
      #expect(once.status == 0 && Self.unwrapped(once.output).contains("LOST: " + sentence))
    }
    let explained = try Programs.rxtop("explain", path, "subscription", "2")
    #expect(explained.status == 0, "\(explained.errors)")
    let unknown = explained.output.components(separatedBy: "Not known:").last ?? ""
    #expect(unknown.contains(sentence))

    let json = try Programs.rxtop("--json", path).output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let program = try #require(object?["program"] as? [String: Any])
    let reported = try #require(program["earlyEnd"] as? [String: Any])
    #expect(program["isIncomplete"] as? Bool == true)
    #expect(reported["cause"] as? String == end.cause)
    #expect(reported["error"] as? Int32 == end.error)
    #expect(reported["time"] as? Int64 == 1_900_000_000)
    #expect((reported["sentence"] as? String)?.hasPrefix(sentence) == true)
  }

  @Test(arguments: ends)
  func checkDoesNotPassATruncatedStream(end: End) throws {
    let scratch = try Scratch()
    let path = try Self.file(end.fields, in: scratch)
    let outcome = try Programs.rxtop("check", path)
    #expect(outcome.status == 4)
    #expect(Self.unwrapped(outcome.output).contains("the stream ends early, because \(end.reason)"))
    #expect(outcome.output.contains("(exit status 4)"))
    #expect(try Programs.rxtop("check", "--quiet", path).status == 4)
  }

  @Test func checkPassesAStreamThatContinues() throws {
    let scratch = try Scratch()
    let path = try Self.file("tailState=growing", in: scratch)
    let outcome = try Programs.rxtop("check", path)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("the stream ends"))
    #expect(try Programs.rxtop("--json", path).output.contains(#""earlyEnd": null"#))
  }

  @Test func aFindingCountsEvenIfTheStreamEndedEarly() throws {
    let scratch = try Scratch()
    let path = scratch.path("leak.rxtrace")
    var bytes = try Data(contentsOf: Self.leak)
    // This byte is the field `tailState` of the header.
    bytes[264] = 2
    try bytes.write(to: URL(filePath: path))
    let outcome = try Programs.rxtop("check", path)
    #expect(outcome.status == 1)
    #expect(Self.unwrapped(outcome.output).contains("because its file had reached its 'limit'"))
  }

  /// The text with each line break and each run of blanks replaced by one blank.
  private static func unwrapped(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
