import TraceFindings
public import TraceModel

/// Provides the data of the screens, from the trace of a running program or from a file.
public protocol InspectionSource {
  /// The state at a position.
  mutating func inspection(at position: Position) throws -> Inspection
  /// The state one step before or after a position, and the position of that state; nil if there is
  /// no such step.
  mutating func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )?
  /// The status of the program, without reading its trace again.
  mutating func program() throws -> ProgramInfo
  /// The lines of an asynchronous backtrace, one for each frame.
  mutating func backtrace(of chain: UInt32) throws -> [String]
  /// The answer to a question about the records.
  mutating func query(_ query: TraceQuery) throws -> TraceAnswer
  /// The paths that a source file may have, according to the program's debug information; the most
  /// likely one comes first.
  mutating func sourcePaths(of file: String, line: UInt32) throws -> [String]
}

extension InspectionSource {
  /// Returns no paths, for an inspection source that has no debug information.
  public mutating func sourcePaths(of file: String, line: UInt32) -> [String] { [] }
}

extension TraceSource: InspectionSource {}
