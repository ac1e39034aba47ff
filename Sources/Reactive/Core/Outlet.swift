/// A gate, which lets one thread at a time deliver events, in front of one subscriber: `create` and
/// merging operators send into it.
///
/// Unchecked because of `next`, which is used and released only by the thread inside the gate.
/// `next` is retained manually, so that a delivery does not have to retain it for each value.
@usableFromInline
final class Outlet<Value: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  @exclusivity(unchecked) @usableFromInline var next: Unmanaged<Handler<Value>>?

  @inlinable
  init(_ down: Sink<Value, Failure>) {
    scope = down.scope
    trace = down.trace
    next = .passRetained(Handler(down.next))
    // The observer of a `create` may outlive the subscription, and then records the events that it
    // refuses, for which it needs the trace.
    down.trace?.keep()
    super.init(downstream: down.downstreamGate)
  }

  deinit {
    next?.release()
    trace?.release()
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value) { next?._withUnsafeGuaranteedRef { $0.handle(value) } }

  // MARK: One of several sources

  /// Delivers a value, unless its source has been replaced in the meantime.
  ///
  /// This function is not inlined into the closures that call it: where the compiler specialises
  /// such a closure in another module, it would call the C functions of the gate one by one.
  @inlinable @inline(never)
  func send(_ value: Value, from source: Subscription) {
    run(self, value, source) { $0.pass($1, from: $2) }
  }

  @inlinable @inline(__always)
  func pass(_ value: Value, from source: Subscription) {
    if scope.isActive, !source.wasAbandoned { deliver(value) }
  }

  // MARK: One source

  /// Delivers a value of the only source, which is never replaced.
  @inlinable
  func send(_ value: Value) {
    run(self, value) { $0.pass($1) }
  }

  /// Delivers a value of the only source, and calls `handled` afterwards, on this thread or on the
  /// thread inside the gate.
  @inlinable
  func send(_ value: Value, handled: @escaping @Sendable () -> Void) {
    if gate.enter() {
      pass(value)
      gate.leave()
      handled()
    } else {
      enqueue {
        self.pass(value)
        handled()
      }
    }
  }

  @inlinable @inline(__always)
  func pass(_ value: Value) { if scope.isActive { deliver(value) } }

  /// Runs `event` inside the gate: at once, or after the events that already wait there.
  @usableFromInline
  func run(_ event: @escaping @Sendable () -> Void) {
    if gate.enter() {
      event()
      gate.leave()
    } else {
      enqueue(event)
    }
  }

  /// Runs `event` like ``run(_:)``, but allocates only if the event has to wait, as
  /// ``Gate/run(_:_:_:)`` does.
  @inlinable @inline(__always)
  func run<Target: Sendable, Input: Sendable>(
    _ target: Target,
    _ input: Input,
    _ event: @escaping @Sendable (Target, Input) -> Void
  ) {
    if gate.enter() {
      event(target, input)
      gate.leave()
    } else {
      enqueue { event(target, input) }
    }
  }

  /// Runs `event` like ``run(_:_:_:)``, with a third parameter: the source that the input comes
  /// from.
  @inlinable @inline(__always)
  func run<Target: Sendable, Input: Sendable, Origin: Sendable>(
    _ target: Target,
    _ input: Input,
    _ origin: Origin,
    _ event: @escaping @Sendable (Target, Input, Origin) -> Void
  ) {
    if gate.enter() {
      event(target, input, origin)
      gate.leave()
    } else {
      enqueue { event(target, input, origin) }
    }
  }

  // MARK: The end

  /// Whether a value sent now would be received.
  ///
  /// May only be read inside the gate.
  @inlinable var isActive: Bool { scope.isActive }

  @inlinable
  func end(_ end: End<Failure>) {
    run(self, end) { $0.scope.end($1) }
  }

  @usableFromInline @inline(never)
  func enqueue(_ event: @escaping @Sendable () -> Void) {
    let count = HeldCount(of: trace)
    guard count.isRecorded else { return gate.enqueue(event, isSent: true) }
    gate.enqueue(
      {
        self.gate.recordWaiting(as: count)
        event()
      },
      countedAs: count,
      isSent: true
    )
  }

  @usableFromInline
  override func clear() {
    let former = next
    next = nil
    former?.release()
  }
}

/// A closure wrapped in an object.
@usableFromInline
final class Handler<Value: Sendable>: Sendable {
  @usableFromInline let handle: @Sendable (Value) -> Void

  @inlinable
  init(_ handle: __owned @escaping @Sendable (Value) -> Void) { self.handle = handle }
}
