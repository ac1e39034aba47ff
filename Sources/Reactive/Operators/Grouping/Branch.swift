import TraceFormat

/// The sending side of a hot signal that an operator makes while it runs: a group or a window.
///
/// Values that are sent before there is a subscriber are kept for the first one, because the signal
/// itself may have to wait in a gate downstream, and is then subscribed to only after its first
/// value has been sent. Once nobody can subscribe any more, no values are kept.
///
/// `@unchecked Sendable`: `kept` and `isAwaited` are used only inside the gate of the hub.
@usableFromInline
final class Branch<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let hub = Hub<Value, Failure>()
  @exclusivity(unchecked) @usableFromInline var kept = Held(Fifo<Value>(), for: nil)
  /// Whether the branch waits for its first subscriber; false once nobody can subscribe any more.
  @exclusivity(unchecked) @usableFromInline var isAwaited = true

  @usableFromInline
  init() {}

  /// Returns the branch's signal, which `make` creates with the given start function.
  ///
  /// Call this once. The signal retains the branch, but the branch does not retain the signal.
  @usableFromInline
  func signal<Made: Signal<Value, Failure>>(
    _ source: BranchSource<Value, Failure>,
    _ make: (@escaping Signal<Value, Failure>.Start) -> Made
  ) -> Made {
    let ticket = BranchTicket(self, source)
    let signal = make { _, scope, trace, next, kind in
      ticket.subscribe(Sink(in: scope, trace, next: kind == .root ? scope.guarding(next) : next))
    }
    hub.id = signal.node.id
    kept = Held(Fifo(), forSignal: hub.id)
    return signal
  }

  @inlinable
  func send(_ value: Value) {
    if hub.gate.enter() {
      deliver(value)
      hub.gate.leave()
    } else {
      hub.enqueue { self.deliver(value) }
    }
  }

  @inlinable
  func deliver(_ value: Value) {
    if isAwaited { keep(value) } else { hub.deliver(value) }
  }

  @usableFromInline @inline(never)
  func keep(_ value: Value) {
    if hub.isOver { return }
    kept.push(value)
  }

  @usableFromInline
  func end(_ end: End<Failure>) { hub.end(end) }

  /// Releases the kept values, and keeps no further values, because nobody can subscribe any more.
  fileprivate func forsake() {
    hub.gate.run { [self] in
      isAwaited = false
      kept.values = Fifo()
    }
  }

  /// Adds a subscriber, and sends it the kept values if it is the first.
  ///
  /// Call this inside the gate, so that new events wait until the kept values have been handled.
  fileprivate func admit(_ down: Sink<Value, Failure>) {
    isAwaited = false
    if !kept.values.isEmpty { replay(to: down) }
    let one = TypedListener(hub, down.scope, down.next)
    down.scope.own(one)
    hub.admit(.passRetained(one))
  }

  private func replay(to down: Sink<Value, Failure>) {
    var left = kept.values
    kept.values = Fifo()
    hub.turn { while down.scope.isActive, let value = left.pop() { down.next(value) } }
  }
}

/// An object that only the signal of a branch retains: its release means that nobody can subscribe
/// any more.
private final class BranchTicket<Value: Sendable, Failure: Error>: Sendable {
  private let branch: Branch<Value, Failure>
  private let source: BranchSource<Value, Failure>

  init(_ branch: Branch<Value, Failure>, _ source: BranchSource<Value, Failure>) {
    self.branch = branch
    self.source = source
  }

  deinit { branch.forsake() }

  func subscribe(_ down: Sink<Value, Failure>) {
    source.join(down.scope)
    if branch.hub.gate.enter() {
      branch.admit(down)
      branch.hub.gate.leave()
    } else {
      let token = Arrival.expected()
      branch.hub.gate.enqueue { [branch] in Arrival.run(for: token) { branch.admit(down) } }
    }
  }
}
