import Foundation
import Testing

/// An example that was built along with the tests, running with tracing in a folder of its own.
///
/// `@unchecked` is safe because only one test uses an instance, on one thread at a time.
final class ExampleProcess: @unchecked Sendable {
  let trace: String
  private let process = Process()
  private let input = Pipe()
  private let scratch: Scratch

  /// Starts an example.
  ///
  /// - Parameters:
  ///   - name: The name of the example.
  ///   - arguments: The arguments of its command line.
  ///   - path: The path of the program, if it is not in the folder of the tests.
  /// - Throws: If the example cannot be started.
  init(_ name: String, _ arguments: [String] = [], at path: String? = nil) throws {
    scratch = try Scratch()
    trace = scratch.path("\(name).rxtrace")
    for file in ["out", "err"] { try Data().write(to: URL(filePath: scratch.path(file))) }
    process.executableURL = URL(filePath: try #require(path ?? Programs.built(name)))
    process.arguments = arguments
    process.currentDirectoryURL = scratch.folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RXTRACE": "events,size=1M,file=\(trace)"]
    ) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("out"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("err"))
    try process.run()
  }

  deinit { kill() }

  var processID: Int32 { process.processIdentifier }
  var output: String { (try? String(contentsOfFile: scratch.path("out"), encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: scratch.path("err"), encoding: .utf8)) ?? "" }

  func type(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Waits until the example has printed a text.
  func prints(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await eventually(
      "it prints '\(text)'",
      { output.contains(text) },
      sourceLocation: sourceLocation
    )
  }

  /// Closes the example's input, waits until it has ended, and returns its status.
  func end(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int32 {
    try input.fileHandleForWriting.close()
    try await eventually("it ends", { !process.isRunning }, sourceLocation: sourceLocation)
    return process.terminationStatus
  }

  /// Kills the example, as `kill -9` does.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
