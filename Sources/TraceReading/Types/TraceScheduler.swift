/// One decoded row of the scheduler table.
public struct TraceScheduler: Sendable {
  /// Row in the table.
  public var index: UInt32 = 0
  /// Whether its row was lost, at least in part: then nothing is known about it, and its counters
  /// mean nothing.
  public var isLost = false
  /// Its name.
  public var name = ""
  /// How it runs its work.
  public var kind: SchedulerKind = .other
  /// The number of times that it accepted work.
  public var scheduled: UInt64 = 0
  /// The number of times that work began.
  public var begun: UInt64 = 0
  /// The number of times that work was cancelled before it began.
  public var cancelled: UInt64 = 0

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
