/// One decoded slot of the slab: an entity that has not been released.
public struct TraceSlot: Sendable {
  /// The identifier of the entity.
  public var id = TraceID.none
  /// Unique over all entities of the recording.
  public var serial: UInt64 = 0
  /// What it is.
  public var kind: EntityKind = .none
  /// What it is doing.
  public var state: EntityState = .created
  /// Ticks.
  public var createdAt: UInt64 = 0
  /// Ticks of the last event; 0 if there was none.
  public var lastEventAt: UInt64 = 0
  /// Events of a subscription, fires of a timer, subscriptions of a signal.
  public var eventCount: UInt64 = 0
  /// Row in the site table.
  public var site: UInt32 = 0
  /// Row in the scheduler table; 0 if unknown, and for signals.
  public var scheduler: UInt32 = 0
  /// Signal: number of what stands between the parentheses of its operator, for ``TraceSnapshot/argument(_:)``.
  public var argument: UInt32 = 0
  /// Subscription: its signal.
  ///
  /// Timer: period in microseconds. Signal: number of its name, or 0.
  public var signal: UInt32 = 0
  /// Subscription: the one downstream.
  ///
  /// Signal: its upstream. Timer: its subscription.
  public var link = TraceID.none
  /// The hop chain it was made in, for timers that of their work, for signals that of the operator's call; 0 where it was not
  /// captured, as for most signals of a line that makes many.
  public var chain: UInt32 = 0
  /// Subscription: the identifier of the owner it was bound to last, or 0; signal: 1 where the program refers to it
  /// no more.
  public var owner: UInt32 = 0
  /// Values a subscription holds, subscriptions a signal or an owner has, idle fires of a timer.
  public var depth: UInt32 = 0
  /// Further upstreams of a signal of several inputs.
  public var moreUpstreams: [TraceID] = []

  /// An empty value, to be filled by hand.
  public init() {}
}
