internal import Glibc
import InspectorUI
internal import TraceExports
internal import TraceModel
internal import TraceReading

/// A recording to export, with the labels of its process (such as service, host and version).
struct FleetSource {
  let path: String
  let labels: FleetLabels

  /// The maximum number of records that each round of a repeated export reads from a recording,
  /// which bounds the memory that rxtop needs.
  private static let recordLimit = 1 << 22

  /// - Throws: `Failure` or `TraceError` if the recording cannot be read.
  init(_ path: String, _ options: FleetOptions) throws {
    let header = try TraceReader(path: path).header()
    self.path = Self.absolute(path)
    var environments: [(String) -> String?] = [Output.variable]
    if ProcessStatus(of: header) == .running {
      let own = Self.environment(of: header.processID)
      environments.insert({ own[$0] }, at: 0)
    }
    var name = [CChar](repeating: 0, count: 257)
    gethostname(&name, name.count - 1)
    let end = name.firstIndex(of: 0) ?? 0
    labels = FleetLabels(
      service: options.service,
      host: options.host,
      version: options.serviceVersion,
      environments: environments,
      program: header.programName,
      machine: String(decoding: name[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    )
  }

  /// Adds the rows of the recording in its current state.
  ///
  /// - Returns: Whether the program is running.
  func add(to batch: inout FleetBatch, isRepeated: Bool) throws -> Bool {
    let limit = isRepeated ? Self.recordLimit : .max
    let snapshot = try TraceReader(path: path, recordLimit: limit).snapshot()
    batch.add(snapshot, labels, path: path, version: Rxtop.version)
    return snapshot.processStatus == .running
  }

  private static func absolute(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The environment with which a process was started; empty if it cannot be read, as for processes
  /// of other users.
  private static func environment(of process: Int32) -> [String: String] {
    guard let bytes = try? Files.contents("/proc/\(process)/environ", limit: 1 << 20) else {
      return [:]
    }
    var environment: [String: String] = [:]
    for variable in bytes.split(separator: 0) {
      guard let equal = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: variable[..<equal], as: UTF8.self)
      environment[name] = String(decoding: variable[equal...].dropFirst(), as: UTF8.self)
    }
    return environment
  }

  /// The paths of the recordings that arguments name: files, processes, and folders that contain
  /// files `*.rxtrace`.
  ///
  /// - Throws: `Failure` if an argument names no recording.
  static func paths(_ arguments: [String]) throws -> [String] {
    var seen: Set<String> = []
    return try arguments.flatMap { argument -> [String] in
      guard Files.isFolder(argument) else { return [try Target.path(argument)] }
      guard let all = TraceDirectory.names(in: argument) else {
        throw Files.failure("cannot read the folder '\(displayName(argument))'")
      }
      let names = all.filter { $0.hasSuffix(".rxtrace") }
      guard !names.isEmpty else {
        throw Failure(
          .unreadable,
          "there is no recording in the folder '\(displayName(argument))'; files *.rxtrace were expected"
        )
      }
      return names.map { "\(argument)/\($0)" }
    }
    .filter { seen.insert(absolute($0)).inserted }
  }
}
