public import TraceFormat
public import Synchronization

/// A subscriber of a subject.
///
/// This class has no type parameters, so that adding and removing a subscriber looks up no generic
/// metadata.
///
/// Unchecked because of `index`, which is only used inside the gate of the hub. The gate lets one
/// thread at a time deliver events and change the list of listeners.
@usableFromInline
class Listener: Member, @unchecked Sendable {
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// The position in `hub.listeners`, or -1; four bytes, because there is one for each subscriber.
  @exclusivity(unchecked) final var index: Int32 = -1
  final let hub: HubBase

  @usableFromInline
  init(_ hub: HubBase) {
    self.hub = hub
    super.init()
    hub.observers.wrappingAdd(1, ordering: .relaxed)
  }

  @usableFromInline
  final override func teardown(_ ending: Ending) {
    isLive.store(false, ordering: .relaxed)
    hub.observers.wrappingSubtract(1, ordering: .relaxed)
    hub.remove(self)
  }
}

@usableFromInline
class TypedListener<Value: Sendable, Failure: Error>: Listener, @unchecked Sendable {
  @usableFromInline final let scope: Scope<Failure>
  @usableFromInline final let next: @Sendable (Value) -> Void

  @inlinable
  init(
    _ hub: HubBase,
    _ scope: __owned Scope<Failure>,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    self.scope = consume scope
    self.next = consume next
    super.init(hub)
  }

  /// Forwards a value of a traced subject.
  @inlinable
  func deliverTraced(_ value: Value) { next(value) }
}

/// The subscribers of a subject in the order in which they subscribed.
///
/// The list retains each subscriber once, so that a delivery need not retain it again. This is
/// safe, and justifies `@unchecked`, because the list is only used inside the gate, where
/// deliveries run too: adding and removing subscribers wait until a delivery has returned.
@usableFromInline
class HubBase: @unchecked Sendable {
  @usableFromInline let gate = Gate()
  let isDirty = Atomic<Bool>(false)
  /// The number of listeners that have not ended.
  ///
  /// Listeners that wait to be admitted count; listeners that only observe the end of the subject
  /// do not.
  let observers = Atomic<Int>(0)
  @exclusivity(unchecked) @usableFromInline final var listeners = ListenerList()
  @exclusivity(unchecked) @usableFromInline final var isOver = false
  /// The identifier of the subject's signal in the trace.
  ///
  /// Set once, before the subject is shared.
  @exclusivity(unchecked) @usableFromInline final var id = TraceID.none

  @inlinable
  init() {}

  deinit { listeners.free() }

  /// Puts a listener into the list, which takes over its retain.
  @usableFromInline
  final func insert(_ one: Unmanaged<Listener>) {
    if one._withUnsafeGuaranteedRef({ $0.isLive.load(ordering: .relaxed) }) {
      listeners.append(one)
    } else {
      one.release()
    }
  }

  @usableFromInline
  final func remove(_ one: Listener) {
    if gate.enter() {
      listeners.remove(one)
      if listeners.holes > 8, listeners.holes * 2 > listeners.count { sweep() }
      gate.leave()
    } else if !isDirty.exchange(true, ordering: .acquiringAndReleasing) {
      gate.enqueueClear { [self] in
        // An exchange, unlike a store, cannot take effect after the loads of `isLive` that follow.
        _ = isDirty.exchange(false, ordering: .acquiringAndReleasing)
        sweep()
      }
    }
  }

  /// Removes the listeners that are no longer live.
  @usableFromInline
  final func sweep() {
    listeners.sweep { !$0.isLive.load(ordering: .relaxed) }
  }

  /// Takes all listeners out of the list, live or not.
  @usableFromInline
  final func takeAll() -> [Listener] {
    listeners.takeAll()
  }

  /// Ends all subscriptions, because nothing can send any more (<doc:EventContract>, rule 11).
  @usableFromInline
  final func sourceGone() {
    gate.run { self.endAll() }
  }

  private func endAll() {
    if isOver { return }
    isOver = true
    for one in takeAll() { endScope(of: one) }
  }

  @usableFromInline
  func endScope(of one: Listener) {}

  /// Puts a delivery into the queue and records the length of the queue.
  @usableFromInline @inline(never)
  final func enqueue(_ event: @escaping @Sendable () -> Void) {
    gate.enqueue(event, countedAs: HeldCount(ofEntity: id), isSent: true)
  }
}

extension HubBase {
  var hasObservers: Bool { observers.load(ordering: .relaxed) > 0 }

  /// Excludes from ``observers`` a subscription that will be made in `scope` and only observes the
  /// end.
  func excludeFromObservers(_ scope: Subscription) {
    observers.wrappingSubtract(1, ordering: .relaxed)
    scope.own(ActionTeardown { [self] in observers.wrappingAdd(1, ordering: .relaxed) })
  }
}

/// A subject, as the owner of a hub of any type.
protocol HubOwner: AnyObject {
  var untypedHub: HubBase { get }
}
