/// One decoded row of the scheduler table.
public struct TraceScheduler: Sendable {
  /// Row in the table.
  public var index: UInt32 = 0
  /// Whether its row was lost, or a part of it: then nothing is known of it, and its counters are no counts.
  public var isLost = false
  /// Its name.
  public var name = ""
  /// How it runs its work.
  public var kind: SchedulerKind = .other
  /// Work accepted.
  public var scheduled: UInt64 = 0
  /// Work begun.
  public var begun: UInt64 = 0
  /// Work cancelled before it began.
  public var cancelled: UInt64 = 0

  /// An empty value, to be filled by hand.
  public init() {}
}
