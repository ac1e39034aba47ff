import Foundation
import Testing

/// Whichever keys are pressed, in any order and on any recording, rxtop does not crash.
///
/// The keys are pressed in a separate process, so that a trap is reported with the command that
/// reproduces it. `Scripts/soak keys` does the same for longer.
@Suite(.enabled("soak was not built beside the tests", { soak != nil }))
struct RandomKeysTests {
  private static let seed = 20
  /// The number of key presses in all tests together.
  private static let presses = 25_000

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private static func files(_ folder: String, _ suffix: String) throws -> [String] {
    let folder = root.appending(path: folder).path
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }

  /// The recordings, and their share of all presses in per cent: most presses are on small
  /// recordings.
  @Test(arguments: [
    (folder: "traces", suffix: ".rxtrace", share: 20),
    (folder: "Tests/ReactiveTraceTests/Fixtures", suffix: ".txt", share: 80),
  ])
  func noSequenceOfKeysCrashesAScreen(folder: String, suffix: String, share: Int) throws {
    let files = try Self.files(folder, suffix)
    #expect(files.count >= 4)
    let scratch = try Scratch()
    let state = scratch.path("state")
    let presses = Self.presses * share / 100
    let outcome = try Programs.run(
      try #require(soak),
      ["keys", "\(Self.seed)", "\(presses)", state, "0"] + files,
      environment: ["SOAK_FRAMES_EVERY": "4"]
    )
    let session = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
    let part = session.split(separator: " ").first.map(String.init) ?? "?"
    #expect(
      outcome.status == 0,
      """
      status \(outcome.status) in session \(session), which this repeats, printing each key: \
      SOAK_FRAMES_EVERY=4 soak repeat \(Self.seed) \(presses) \(part) \(folder)/*\(suffix)
      \(outcome.errors.prefix(2000))
      """
    )
    // Nearly all recordings can be opened, even damaged ones, so most of the presses were made.
    let made = outcome.output.split(separator: " ").first.flatMap { Int($0) }
    #expect(try #require(made) > presses / 2, "\(outcome.output)")
  }
}

private let soak = Programs.built("soak")
