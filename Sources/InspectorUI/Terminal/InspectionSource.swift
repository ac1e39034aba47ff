import TraceFindings
public import TraceModel

/// Provides the data of screens, from a running program or a file: both are used in the same way.
public protocol InspectionSource {
  /// The state at a position.
  mutating func inspection(at position: Position) throws -> Inspection
  /// The state one step from a position, with its position; nil if there is no further step.
  mutating func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )?
  /// The status of the program, without reading its trace again.
  mutating func program() throws -> ProgramInfo
  /// An asynchronous backtrace, one line for each frame, as recorded.
  mutating func backtrace(of chain: UInt32) throws -> [String]
  /// The answer to a question about the records.
  mutating func query(_ query: TraceQuery) throws -> TraceAnswer
  /// The paths that a source file had according to the program's debug information, the likeliest
  /// first.
  mutating func sourcePaths(of file: String, line: UInt32) throws -> [String]
}

extension InspectionSource {
  /// Returns no paths, for sources without debug information.
  public mutating func sourcePaths(of file: String, line: UInt32) -> [String] { [] }
}

extension TraceSource: InspectionSource {}
