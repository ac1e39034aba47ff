/// A value, and the hub that sends its changes: shared by a ``BehaviorSubject`` and its signal.
///
/// The value is set, and a notice of the change is put into a queue, under one lock. The notices
/// are processed by the thread inside the hub's gate, which lets one thread at a time deliver
/// events. For a new subscriber, the value is read under that lock too, and a notice of its
/// admission is queued unless it can be admitted at once, so that the subscriber gets exactly the
/// values that are newer than its first value (<doc:EventContract>, rule 3).
@usableFromInline
final class CurrentValue<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  enum Notice: Sendable {
    case value(Value)
    case end(End<Failure>)
    case admission(TypedListener<Value, Failure>)
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var value: Value
    @usableFromInline var isOver = false
    @usableFromInline var notices = Fifo<Notice>()

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline let hub = Hub<Value, Failure>()
  @usableFromInline let state: Locked<State>

  @inlinable
  init(_ value: Value) { state = Locked(State(value)) }

  @inlinable var value: Value { state.withBusyLock { $0.value } }

  @inlinable
  func set(_ value: Value) {
    // The old value is released outside the lock: its release may run code of the program.
    let old = state.withBusyLock { state -> Value? in
      if state.isOver { return nil }
      state.notices.push(.value(value))
      let old = state.value
      state.value = value
      return old
    }
    if old != nil { notify() }
  }

  /// Sets the value that `change` makes from the current value, unless `change` returns nil.
  ///
  /// `change` runs under the lock: never pass a closure of the program.
  ///
  /// - Returns: The previous value; nil if nothing was set, which is always the case after the end.
  @inlinable
  func update(_ change: (Value) -> Value?) -> Value? {
    let old = state.withBusyLock { state -> Value? in
      if state.isOver { return nil }
      guard let new = change(state.value) else { return nil }
      state.notices.push(.value(new))
      let old = state.value
      state.value = new
      return old
    }
    if old != nil { notify() }
    return old
  }

  @usableFromInline var isOver: Bool { state.withBusyLock { $0.isOver } }

  @inlinable
  func end(_ end: End<Failure>) {
    let isFirst = state.withBusyLock { state in
      if state.isOver { return false }
      state.isOver = true
      state.notices.push(.end(end))
      return true
    }
    if isFirst { notify() }
  }

  /// Adds a subscriber that gets the current value first, through a separate gate; later values
  /// wait in that gate until then.
  @inlinable
  func add(_ down: Sink<Value, Failure>) {
    let outlet = Outlet(down)
    down.scope.own(outlet)
    let source = UpstreamScope<Failure>(in: down.scope) { outlet.end($0) }
    source.downstreamGate = outlet
    let one = TypedListener(hub, source) { outlet.send($0, from: source) }
    source.own(one)
    guard outlet.gate.enter() else { return }
    let isInside = hub.gate.enter()
    var isAdmitted = false
    let value = state.withBusyLock { state in
      // While this thread is inside the gate, no other thread delivers notices. So if none is
      // queued, every later notice is delivered after the admission.
      isAdmitted = isInside && state.notices.isEmpty
      if !isAdmitted { state.notices.push(.admission(one)) }
      return state.value
    }
    if isInside {
      if isAdmitted { hub.admit(.passRetained(one)) } else { deliverNextNotice() }
      hub.gate.leave()
    } else {
      // Unlike a sender, a subscriber does not give way if many events wait.
      hub.gate.enqueue { self.deliverNextNotice() }
    }
    outlet.pass(value, from: source)
    outlet.gate.leave()
  }

  /// Processes the oldest notice; called once for each notice that is queued.
  @inlinable
  func notify() {
    if hub.gate.enter() {
      deliverNextNotice()
      hub.gate.leave()
    } else {
      hub.enqueue { self.deliverNextNotice() }
    }
  }

  @inlinable
  func deliverNextNotice() {
    switch state.withBusyLock({ $0.notices.pop() }) {
    case .value(let value): hub.deliver(value)
    case .end(let end): hub.finish(end)
    case .admission(let one): hub.admit(.passRetained(one))
    case nil: break
    }
  }
}
