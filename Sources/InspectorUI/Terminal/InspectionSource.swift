import TraceFindings
public import TraceModel

/// Where a screen gets what it shows: a running program or a file, which look the same from here.
public protocol InspectionSource {
  /// The state at a position.
  mutating func inspection(at position: Position) throws -> Inspection
  /// The state one step from a position, and the position of it; nil if there is nothing further.
  mutating func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )?
  /// What has become of the program, without reading its trace anew.
  mutating func program() throws -> ProgramInfo
  /// An asynchronous backtrace, one line for each frame, unfiltered.
  mutating func backtrace(of chain: UInt32) throws -> [String]
  /// The answer to a question about the records.
  mutating func query(_ query: TraceQuery) throws -> TraceAnswer
  /// Where the program's debug information says that a line of source was, the likeliest first.
  mutating func sourcePaths(of file: String, line: UInt32) throws -> [String]
}

extension InspectionSource {
  /// None: nothing is known of it.
  public mutating func sourcePaths(of file: String, line: UInt32) -> [String] { [] }
}

extension TraceSource: InspectionSource {}
