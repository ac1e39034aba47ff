import Foundation
import Testing

extension Programs {
  /// watchtower as it was built along with the tests: it lies beside rxtop.
  static let watchtower: String? = {
    let folder = rxtop.map { URL(filePath: $0).deletingLastPathComponent() }
    guard let path = folder?.appending(path: "watchtower").path else { return nil }
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}

/// A traced watchtower over a separate folder, in which the test creates and removes files.
final class WatchtowerProcess {
  let traces: String
  private let process = Process()
  private let scratch: Scratch
  private let logs: String
  private var rounds = 0

  /// Starts it, and waits until it watches.
  ///
  /// - Parameters:
  ///   - options: Beside the directory.
  ///   - trace: The value of `RXTRACE`; nil runs it without.
  ///   - folder: The folder of the trace; nil for a separate one.
  /// - Throws: If it cannot be started, or does not come to rest.
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

  /// What it has printed.
  var alerts: String { (try? String(contentsOfFile: scratch.path("out"), encoding: .utf8)) ?? "" }

  /// Its output on standard error.
  var complaints: String {
    (try? String(contentsOfFile: scratch.path("err"), encoding: .utf8)) ?? ""
  }

  /// The trace files there are.
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

  /// Creates files with errors in them, waits until they were seen, deletes them, and waits until the
  /// program is at rest and has set its mark.
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
      Issue.record("it printed:\n\(alerts)\(complaints)")
      throw error
    }
  }

  /// Ends it as `kill -9` does.
  func kill() { end(SIGKILL) }

  /// Asks it to terminate, and returns its status.
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
