/// One decoded row of the site table.
public struct TraceSite: Sendable {
  /// Row in the table; what slots and records refer to.
  public var index: UInt32 = 0
  /// Whether its row was lost, or a part of it: then nothing is known of it, and its counters are no counts.
  public var isLost = false
  /// The operator's name, as `map` or `take(until:)`.
  public var name = ""
  /// `#fileID`: module, slash, file name.
  public var file = ""
  /// The line of the call.
  public var line: UInt32 = 0
  /// Its column.
  public var column: UInt32 = 0
  /// What is known of the operator.
  public var traits: SiteTraits = []
  /// How much is recorded here, where the place has a level of its own; nil for that of the whole.
  public var level: TraceLevel?
  /// Signals made here.
  public var signalsCreated: UInt64 = 0
  /// Those of them that were released.
  public var signalsReleased: UInt64 = 0
  /// Subscriptions begun.
  public var subscribed: UInt64 = 0
  /// Ended subscriptions, indexed by the raw value of ``/TraceFormat/EndReason``.
  public var ended: [UInt64] = []
  /// Subscriptions released.
  public var released: UInt64 = 0
  /// Events of released subscriptions.
  public var eventsOfReleased: UInt64 = 0
  /// Events dropped after disposal or termination.
  public var refused: UInt64 = 0
  /// Disposables released while their subscription lived.
  public var disposablesReleased: UInt64 = 0
  /// Timers armed.
  public var timersArmed: UInt64 = 0
  /// Timers ended.
  public var timersEnded: UInt64 = 0
  /// Fires of all timers.
  public var timerFires: UInt64 = 0
  /// Owners made here that got a first subscription; traces of version 1.0 do not say.
  public var ownersCreated: UInt64 = 0
  /// Those of them that ended.
  public var ownersEnded: UInt64 = 0
  /// The smallest number of live subscriptions since the last mark.
  public var minimumLive: UInt32 = 0
  /// Completed lifetimes per power of two of nanoseconds.
  public var lifetimes: [UInt32] = []

  /// An empty value, to be filled by hand.
  public init() {}

  /// Subscriptions that have not ended.
  public var live: UInt64 {
    let over = ended.reduce(0, &+)
    return subscribed > over ? subscribed - over : 0
  }
}
