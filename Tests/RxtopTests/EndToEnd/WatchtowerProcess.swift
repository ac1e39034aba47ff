import Foundation
import Testing

extension Programs {
  /// The example watchtower as it was built along with the tests.
  static let watchtower = built("watchtower")
}

/// A traced watchtower with a folder of its own, in which the test creates and removes files.
final class WatchtowerProcess {
  let traces: String
  private let process = Process()
  private let scratch: Scratch
  private let logs: String
  private var rounds = 0

  /// Starts the program and waits until it watches the folder.
  ///
  /// - Parameters:
  ///   - options: Arguments besides the folder.
  ///   - trace: The value of `RXTRACE`; nil runs the program without it.
  ///   - folder: The folder of the trace; nil for one of its own.
  /// - Throws: If the program cannot be started, or does not come to rest.
  init(_ options: [String], trace: String?, in folder: String? = nil) async throws {
    scratch = try Scratch()
    logs = scratch.path("logs")
    traces = folder ?? scratch.path("traces")
    for folder in [logs, traces] {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    for file in ["out", "err"] {
      try Data().write(to: URL(filePath: scratch.path(file)))
    }
    var environment = ProcessInfo.processInfo.environment
    environment["RXTRACE"] = trace
    environment["RXTRACE_DIR"] = traces
    process.executableURL = URL(filePath: try #require(Programs.watchtower))
    process.arguments = options + [logs]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("out"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("err"))
    try process.run()
    try await eventually("watchtower is at rest") { self.alerts.contains("at rest after round 0") }
  }

  deinit { kill() }

  var processID: Int32 { process.processIdentifier }

  /// The program's output.
  var alerts: String { (try? String(contentsOfFile: scratch.path("out"), encoding: .utf8)) ?? "" }

  /// Its output on standard error.
  var errorOutput: String {
    (try? String(contentsOfFile: scratch.path("err"), encoding: .utf8)) ?? ""
  }

  /// The paths of all trace files.
  func traceFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: traces).map { "\(traces)/\($0)" }
  }

  /// Creates a log file and holds it open.
  func openLog(_ name: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: "\(logs)/\(name)"))
    return try #require(FileHandle(forWritingAtPath: "\(logs)/\(name)"))
  }

  /// Deletes a log file, even if it is open.
  func removeLog(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(logs)/\(name)")
  }

  /// Creates files with errors in them, waits until the program has seen them, deletes them, and
  /// waits until the program is at rest and has set its mark.
  func playRound(files: Int = 2) async throws {
    rounds += 1
    let names = (1...files).map { "round\(rounds)-\($0).log" }
    for name in names {
      try "ERROR in \(name)\n".write(toFile: "\(logs)/\(name)", atomically: false, encoding: .utf8)
    }
    for name in names {
      try await eventually("\(name) is tailed") { self.alerts.contains("ERROR in \(name)") }
    }
    for name in names { try FileManager.default.removeItem(atPath: "\(logs)/\(name)") }
    do {
      try await eventually("round \(rounds) is over") {
        self.alerts.contains("at rest after round \(self.rounds)\n")
      }
    } catch {
      Issue.record("it printed:\n\(alerts)\(errorOutput)")
      throw error
    }
  }

  /// Kills the program, as `kill -9` does.
  func kill() { end(SIGKILL) }

  /// Asks the program to terminate, and returns its status.
  func terminate() -> Int32 {
    end(SIGTERM)
    return process.terminationStatus
  }

  private func end(_ signal: Int32) {
    guard process.isRunning else { return }
    Foundation.kill(processID, signal)
    process.waitUntilExit()
  }
}
