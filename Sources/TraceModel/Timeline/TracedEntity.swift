package import TraceReading

/// Everything that is known about one entity at one instant.
///
/// Nil means unknown; properties that never change are not optional.
package struct TracedEntity: Sendable, Equatable {
  package var key: EntityKey
  var kind: EntityKind
  package var site: UInt32
  package var scheduler: UInt32
  /// Subscription: its downstream subscription.
  ///
  /// Signal: its first upstream. Timer: its subscription.
  var link: TraceID
  /// Subscription: its signal.
  package var signal: TraceID
  /// Subscription and timer: row of the asynchronous backtrace; 0 also if the entity is known only
  /// from a status, which is a record that repeats the state of an entity that already existed.
  var chain: UInt32
  package var createdAt: UInt64
  /// Subscription and timer only: a signal's state follows from its counts.
  package var state: LifeState?
  /// Subscription: the number of events.
  ///
  /// Timer: how often it fired. Signal: the number of all its subscriptions, including ended ones.
  package var count: UInt64? {
    get { countIfKnown.value }
    set { countIfKnown = Known(newValue) }
  }
  package var lastEventAt: UInt64? {
    get { lastEventIfKnown.value }
    set { lastEventIfKnown = Known(newValue) }
  }
  /// Subscription: the number of values held.
  ///
  /// Signal: the number of live subscriptions. Timer: how often it has fired since it last caused
  /// an event.
  package var depth: UInt64? {
    get { depthIfKnown.value }
    set { depthIfKnown = Known(newValue) }
  }
  /// Timer: its period, in microseconds.
  var period: UInt32 = 0
  /// Signal: number of the name it was given.
  package var name: UInt32 = 0
  /// Signal: number of the text between the parentheses of its operator.
  var argument: UInt32 = 0
  package var reason: EndReason?
  var refused: UInt32 = 0
  package var isDisposableReleased = false
  /// Whether it is live in an unknown state, because a record of its end comes later.
  var isLiveInUnknownState = false
  var endedAt: UInt64? {
    get { endedAtIfKnown.value }
    set { endedAtIfKnown = Known(newValue) }
  }

  private var countIfKnown = Known(0)
  private var lastEventIfKnown = Known(nil)
  private var depthIfKnown = Known(0)
  private var endedAtIfKnown = Known(nil)

  /// A number that may be unknown.
  ///
  /// It takes half the space of an optional, because there are hundreds of thousands of them.
  private struct Known: Equatable {
    private let bits: UInt64

    init(_ value: UInt64?) { bits = value ?? .max }

    var value: UInt64? { bits == .max ? nil : bits }
  }

  /// Whether it has not ended; nil if that is unknown.
  package var isLive: Bool? { state?.isLive ?? (isLiveInUnknownState ? true : nil) }

  /// The state; that of a signal is computed from its counts.
  package var lifeState: LifeState? {
    guard kind == .signal, state == nil else { return state }
    guard let depth, let count else { return nil }
    return depth > 0 ? .active : count > 0 ? .inactive : .created
  }

  /// A new entity, without any history.
  init(
    _ id: TraceID,
    serial: UInt64,
    kind: EntityKind,
    site: UInt32,
    scheduler: UInt32 = 0,
    link: TraceID,
    signal: TraceID = .none,
    chain: UInt32 = 0,
    at ticks: UInt64
  ) {
    key = EntityKey(id: id, serial: serial)
    self.kind = kind
    self.site = site
    self.scheduler = scheduler
    self.link = link
    self.signal = signal
    self.chain = chain
    createdAt = ticks
    state = kind == .signal ? nil : .active
  }

  /// The entity whose creation a record shows; nil for other records.
  init?(createdBy record: TraceRecord) {
    let id = record.entity
    if let new = record.subscribing {
      self.init(
        id,
        serial: new.serial,
        kind: .subscription,
        site: new.site,
        scheduler: new.scheduler,
        link: new.downstream,
        signal: new.signal,
        chain: new.chain,
        at: record.ticks
      )
    } else if let new = record.signalCreation {
      self.init(
        id,
        serial: new.serial,
        kind: .signal,
        site: new.site,
        link: new.upstream,
        at: record.ticks
      )
      argument = new.argument
    } else if let new = record.timerArming {
      self.init(
        id,
        serial: new.serial,
        kind: .timer,
        site: new.site,
        scheduler: new.scheduler,
        link: new.subscription,
        chain: new.chain,
        at: record.ticks
      )
      period = new.microseconds
    } else if let new = record.ownerCreation {
      self.init(
        id,
        serial: new.serial,
        kind: .owner,
        site: new.site,
        scheduler: new.scheduler,
        link: .none,
        at: record.ticks
      )
    } else {
      return nil
    }
  }

  /// The current state according to a slot of the table of live entities.
  init(_ slot: TraceSlot) {
    self.init(
      slot.id,
      serial: slot.serial,
      kind: slot.kind,
      site: slot.site,
      scheduler: slot.scheduler,
      link: slot.link,
      signal: slot.kind == .subscription ? TraceID(rawValue: slot.signal) : .none,
      chain: slot.kind == .signal ? 0 : slot.chain,
      at: slot.createdAt
    )
    state = slot.kind == .signal ? nil : LifeState(slot.state)
    count = slot.eventCount
    lastEventAt = slot.lastEventAt == 0 || slot.kind == .signal ? nil : slot.lastEventAt
    depth = UInt64(slot.depth)
    if slot.kind == .timer { period = slot.signal }
    if slot.kind == .signal { (name, argument) = (slot.signal, slot.argument) }
  }

  /// The state according to a status record, right *after* the record that follows it: the recorder
  /// changes the entity's slot before it writes the two records.
  init(_ id: TraceID, _ status: TraceRecord.Status) {
    self.init(
      id,
      serial: status.serial,
      kind: status.kind,
      site: status.site,
      scheduler: status.scheduler,
      link: status.link,
      signal: status.signal,
      at: status.createdAt
    )
    state = status.kind == .signal ? nil : LifeState(status.state)
    count = status.eventCount
    depth = status.kind == .signal ? UInt64(status.number) : nil
    if status.kind == .timer { period = status.number }
    argument = status.argument
  }
}
