/// One decoded slot of the slab, the table of live entities: an entity that has not been released.
public struct TraceSlot: Sendable {
  /// The identifier of the entity.
  public var id = TraceID.none
  /// Unique over all entities of the recording.
  public var serial: UInt64 = 0
  /// The kind of entity.
  public var kind: EntityKind = .none
  /// The entity's state.
  public var state: EntityState = .created
  /// The time at which it was created, in ticks.
  public var createdAt: UInt64 = 0
  /// The time of the last event, in ticks; 0 if there was none.
  public var lastEventAt: UInt64 = 0
  /// The number of events of a subscription, of times that a timer fired, or of subscriptions to a
  /// signal.
  public var eventCount: UInt64 = 0
  /// Row in the site table.
  public var site: UInt32 = 0
  /// Row in the scheduler table; 0 if unknown, and for signals.
  public var scheduler: UInt32 = 0
  /// For a signal, the number of its operator's argument, to be passed to
  /// ``TraceSnapshot/argument(_:)``.
  public var argument: UInt32 = 0
  /// For a subscription, its signal.
  ///
  /// For a timer, its period in microseconds; for a signal, the number of its name, or 0.
  public var signal: UInt32 = 0
  /// For a subscription, the one downstream.
  ///
  /// For a signal, its upstream; for a timer, its subscription.
  public var link = TraceID.none
  /// The chain (asynchronous backtrace) of the code that made a subscription, of a timer's work, or
  /// of the call of a signal's operator.
  ///
  /// It is 0 if it was not captured, as for most signals if a line makes many.
  public var chain: UInt32 = 0
  /// For a subscription, the identifier of the owner that it was last bound to, or 0; for a signal,
  /// 1 if the program no longer refers to it.
  public var owner: UInt32 = 0
  /// The number of values that a subscription holds, or of subscriptions that a signal or an owner
  /// has; for a timer, how often it has fired since it last caused an event.
  public var depth: UInt32 = 0
  /// Further upstreams of a signal with several inputs.
  public var moreUpstreams: [TraceID] = []

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
