/// One decoded record with its continuations, which are further records with more of its contents.
public struct TraceRecord: Sendable {
  /// The position of the record: `epoch << 12 | index`, where the epoch is the number of its
  /// segment.
  ///
  /// It never changes, so findings refer to their evidence by it, and `rxtop dump --event` finds a
  /// record by it.
  public var number: UInt64 = 0
  /// The absolute time in ticks.
  public var ticks: UInt64 = 0
  /// What happened.
  public var kind: RecordKind = .continuation
  /// The number of 16-byte slots that it takes in the file, with its continuations.
  public var length: UInt8 = 1
  /// The identifier, whose meaning depends on the kind.
  public var id: UInt32 = 0
  /// The argument, whose meaning depends on the kind.
  public var argument: UInt32 = 0
  /// Row in the thread table; 0 if unknown.
  public var thread: UInt32 = 0
  /// The generation of its segment: a stretch of the trace that can be read without the earlier
  /// records.
  public var generation: UInt64 = 0
  /// The values of its continuations, in the order of ``/TraceFormat/RecordSpec/more``; zero for
  /// those that it does not have.
  public var more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
