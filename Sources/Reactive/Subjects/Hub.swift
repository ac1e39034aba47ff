public import TraceFormat
public import Synchronization

/// The state that a subject shares with its signal: the gate, the subscribers, and the end.
///
/// The gate lets one thread at a time deliver events. Events that arrive meanwhile wait in a queue.
///
/// Unchecked for the same reason as ``HubBase``.
@usableFromInline
final class Hub<Value: Sendable, Failure: Error>: HubBase, @unchecked Sendable {
  /// The failure with which the hub ended.
  ///
  /// It is stored in an object, so that the hub can be destroyed without looking up the size of the
  /// type `Failure` at run time.
  @exclusivity(unchecked) @usableFromInline var failure: StageState<Failure>?
  @exclusivity(unchecked) @usableFromInline var hasCompleted = false
  /// Values for late subscribers, oldest first; not used by a plain subject.
  @exclusivity(unchecked) @usableFromInline var buffer = Fifo<Value>()
  @usableFromInline let capacity: Int
  /// Limits how long values are kept; nil if they are kept for as long as there is room.
  ///
  /// Set before the hub is shared.
  @exclusivity(unchecked) @usableFromInline var lifespan: Lifespan?

  @inlinable
  init(capacity: Int = 0) {
    self.capacity = capacity
    super.init()
  }

  /// How the hub ended; meaningless before its end.
  @inlinable var ending: End<Failure> {
    if let failure { return .failed(failure.value) }
    return hasCompleted ? .completed : .sourceGone
  }

  // MARK: Subscribing

  @inlinable
  func add(_ down: consuming Sink<Value, Failure>) {
    add(in: down.scope, next: down.next)
  }

  @inlinable
  func add(in scope: __owned Scope<Failure>, next: __owned @escaping @Sendable (Value) -> Void) {
    add(.passRetained(TypedListener(self, consume scope, consume next)))
  }

  /// Adds a traced subscriber that has no probe, so that its values must be recorded here
  /// (``NextKind/selfTracing``).
  @inlinable @inline(never)
  func addTraced(
    in scope: __owned Scope<Failure>,
    _ trace: SubscriptionTrace?,
    next: __owned @escaping @Sendable (Value) -> Void
  ) {
    if id != .none {
      add(.passRetained(TracedListener(self, consume scope, trace, consume next)))
    } else {
      // This hub was made before anything was recorded: its deliveries are not recorded.
      add(in: consume scope, next: trace.map { Probe($0, next).handler() } ?? next)
    }
  }

  @inlinable @inline(__always)
  func add(_ retained: Unmanaged<TypedListener<Value, Failure>>) {
    // The listener is retained twice: once for the scope and once for the list of listeners.
    let one = retained.retain()
    one._withUnsafeGuaranteedRef { $0.scope.own(.fromOpaque(one.toOpaque())) }
    guard gate.enter() else { return gate.enqueue { self.admit(one) } }
    if isOver {
      // The subscriber is notified outside the gate, because it may subscribe again. No other event
      // can come at the same time, because an ended hub sends nothing else.
      gate.leave()
      endAtOnce(one)
    } else {
      insert(.fromOpaque(one.toOpaque()))
      gate.leave()
    }
  }

  @inlinable @inline(__always)
  func admit(_ one: Unmanaged<TypedListener<Value, Failure>>) {
    if isOver { endAtOnce(one) } else { insert(.fromOpaque(one.toOpaque())) }
  }

  @inlinable @inline(never)
  func endAtOnce(_ one: Unmanaged<TypedListener<Value, Failure>>) {
    one._withUnsafeGuaranteedRef { $0.scope.end(ending) }
    one.release()
  }

  // MARK: Sending

  @inlinable @inline(__always)
  func send(_ value: Value) {
    if gate.enter() {
      deliver(value)
      gate.leave()
    } else {
      enqueue { self.deliver(value) }
    }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value) {
    if id != .none { return deliverTurn(value) }
    forward(value)
  }

  @inlinable @inline(never)
  func deliverTurn(_ value: Value) {
    if isOver { return }
    recordTurnBegan()
    forward(value) { $0.deliverTraced(value) }
    recordTurnEnded()
  }

  @inlinable @inline(__always)
  func forward(_ value: Value) { forward(value) { $0.next(value) } }

  @inlinable @inline(__always)
  func forward(_ value: Value, _ pass: (TypedListener<Value, Failure>) -> Void) {
    if capacity > 0 { remember(value) }
    guard let slots = listeners.slots else { return }
    for index in 0..<listeners.count {
      guard let slot = slots[index] else { continue }
      slot._withUnsafeGuaranteedRef { one in
        if one.isLive.load(ordering: .relaxed) {
          // Every listener of this hub is a `TypedListener` with the hub's types.
          pass(unsafeDowncast(one, to: TypedListener<Value, Failure>.self))
        }
      }
    }
  }

  @inlinable @inline(never)
  func remember(_ value: Value) {
    if isOver { return }
    buffer.push(value)
    lifespan?.began()
    removeExpired()
    if buffer.count > capacity {
      _ = buffer.pop()
      lifespan?.ended()
    } else {
      HeldCount(ofEntity: id).changed(to: buffer.count)
    }
  }

  /// Releases the values that have been kept for the whole lifespan.
  @usableFromInline
  func removeExpired() {
    guard let lifespan, lifespan.isOver else { return }
    while lifespan.isOver {
      _ = buffer.pop()
      lifespan.ended()
    }
    HeldCount(ofEntity: id).changed(to: buffer.count)
  }

  @inlinable
  func end(_ end: End<Failure>) {
    if gate.enter() {
      finish(end)
      gate.leave()
    } else {
      enqueue { self.finish(end) }
    }
  }

  @inlinable
  func finish(_ end: End<Failure>) {
    if isOver { return }
    readTime()
    isOver = true
    switch end {
    case .completed: hasCompleted = true
    case .failed(let error): failure = StageState(error)
    case .sourceGone: break
    }
    for one in takeAll() where one.isLive.load(ordering: .relaxed) {
      // Every listener of this hub is a `TypedListener` with the hub's types.
      unsafeDowncast(one, to: TypedListener<Value, Failure>.self).scope.end(end)
    }
  }

  @usableFromInline
  override func endScope(of one: Listener) {
    // Every listener of this hub is a `TypedListener` with the hub's types.
    unsafeDowncast(one, to: TypedListener<Value, Failure>.self).scope.end(.sourceGone)
  }
}
