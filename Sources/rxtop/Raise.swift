internal import ArgumentParser
internal import InspectorUI
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// The levels that `--raise` accepts.
enum LevelToRaise: String, CaseIterable, ExpressibleByArgument {
  case graph, events, values

  var level: TraceLevel {
    switch self {
    case .graph: .graph
    case .events: .events
    case .values: .values
    }
  }
}

/// A trace whose process records at a higher level while rxtop shows it.
///
/// rxtop takes a lease on the higher level, and renews it at each refresh. If rxtop is stopped or
/// killed, the lease expires soon.
struct RaisedSource: InspectionSource {
  private var source: TraceSource
  private let lease: TraceLease?

  /// - Parameters:
  ///   - source: The trace.
  ///   - path: The path of the trace.
  ///   - level: The level at which the process is to record; nil to leave its level unchanged.
  ///   - refresh: The refresh interval.
  /// - Throws: `TraceError` if the level cannot be raised.
  init(
    _ source: TraceSource,
    path: String,
    level: TraceLevel?,
    refresh: Duration
  ) throws(TraceError) {
    self.source = source
    guard let level else {
      lease = nil
      return
    }
    let seconds = Double(refresh.components.seconds) * 3 + 5
    lease = try TraceLease.take(path: path, level: level, seconds: seconds)
  }

  /// Renews the lease.
  ///
  /// Errors are ignored: if the process has ended, it needs no lease, and its records can still be
  /// shown.
  private func renew() { try? lease?.renew() }

  /// Ends the lease.
  func release() { lease?.release() }

  mutating func inspection(at position: Position) throws -> Inspection {
    renew()
    return try source.inspection(at: position)
  }

  mutating func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )? {
    try source.step(step, forward: forward, from: position)
  }

  mutating func program() throws -> ProgramInfo {
    renew()
    return source.program()
  }

  mutating func backtrace(of chain: UInt32) throws -> [String] {
    source.backtrace(of: chain)
  }

  mutating func sourcePaths(of file: String, line: UInt32) throws -> [String] {
    source.sourcePaths(of: file, line: line)
  }

  mutating func query(_ query: TraceQuery) throws -> TraceAnswer { try source.query(query) }
}
