/// One decoded row of the site table: an operator at a line of code.
public struct TraceSite: Sendable {
  /// Row in the table, by which slots and records refer to it.
  public var index: UInt32 = 0
  /// Whether its row was lost, at least in part: then nothing is known about it, and its counters
  /// mean nothing.
  public var isLost = false
  /// The operator's name, such as `map` or `take(until:)`.
  public var name = ""
  /// `#fileID`: module, slash, file name.
  public var file = ""
  /// The line of the call.
  public var line: UInt32 = 0
  /// Its column.
  public var column: UInt32 = 0
  /// What the operator does.
  public var traits: SiteTraits = []
  /// The separate level of this place; nil if the overall level applies.
  public var level: TraceLevel?
  /// Signals made here.
  public var signalsCreated: UInt64 = 0
  /// Signals made here that were released.
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
  /// Disposables released before their subscription ended.
  public var disposablesReleased: UInt64 = 0
  /// Timers armed.
  public var timersArmed: UInt64 = 0
  /// Timers ended.
  public var timersEnded: UInt64 = 0
  /// The number of times that timers armed here fired.
  public var timerFires: UInt64 = 0
  /// Owners made here that got a first subscription; not recorded in traces of version 1.0.
  public var ownersCreated: UInt64 = 0
  /// Owners counted in ``ownersCreated`` that ended.
  public var ownersEnded: UInt64 = 0
  /// The smallest number of live subscriptions since the last mark.
  public var minimumLive: UInt32 = 0
  /// The number of ended subscriptions by lifetime, for each power of two of nanoseconds.
  public var lifetimes: [UInt32] = []

  /// Creates an empty value, to be filled in by the caller.
  public init() {}

  /// Subscriptions that have not ended.
  public var live: UInt64 {
    let over = ended.reduce(0, &+)
    return subscribed > over ? subscribed - over : 0
  }
}
