import Foundation
import Testing

/// The reader that was written from `TraceFormat.md` alone: `Tests/IndependentReader/rxtrace.py`.
enum PythonReader {
  /// The path of Python; nil if it is not installed.
  static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../IndependentReader/rxtrace.py").standardizedFileURL.path

  /// Runs the reader on a file; `what` is `dump`, `order` or `state`.
  static func run(_ what: String, _ path: String) throws -> Programs.Outcome {
    try Programs.run(
      try #require(python),
      [script, what, path],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"]
    )
  }
}
