/// One decoded mark with the live count of each site.
public struct TraceMark: Sendable {
  /// Row in the table of marks.
  public var index = 0
  /// When it was set.
  public var ticks: UInt64 = 0
  /// Its name.
  public var name = ""
  /// Who set it.
  public var kind: MarkKind = .program
  /// Its place among the marks of its series, of which some may have been given up; 0 if it is not known.
  public var ordinal: UInt32 = 0
  /// Ticks of the mark before it, from which ``minimumLive`` counts; 0 in the first, and where it is not known.
  public var since: UInt64 = 0
  /// Signals alive.
  public var liveSignals: UInt64 = 0
  /// Subscriptions that had not ended.
  public var liveSubscriptions: UInt64 = 0
  /// Timers armed.
  public var liveTimers: UInt64 = 0
  /// Bytes that the program had from its heap and had not given back; nil where that is not known, as before version 1.6,
  /// and at marks where it would have taken long to find out.
  public var heapInUse: UInt64?
  /// Bytes of the process that were in memory; nil where that is not known.
  public var residentSize: UInt64?
  /// Whether the counts of its sites were lost, or some of them.
  public var hasLostCounts = false
  /// Live subscriptions per site at the mark; sites beyond the end had none.
  public var live: [UInt32] = []
  /// The smallest live count per site since the mark before.
  public var minimumLive: [UInt32] = []

  /// An empty value, to be filled by hand.
  public init() {}
}
