public import ReactiveTrace

/// A gate before one downstream: what `create` and merging operators send into.
///
/// Unchecked for `next`, which only whoever is inside the gate touches. It is retained by hand, because a
/// delivery is inside the gate and `next` is let go of there: nothing has to be retained for a value.
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
    // Its handle may outlive the end, and then tell of refused events.
    if let trace = down.trace { Tracer.held(trace.id) }
    super.init(above: down.below)
  }

  deinit {
    next?.release()
    if let trace { Tracer.release(trace.id) }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value) { next?._withUnsafeGuaranteedRef { $0.handle(value) } }

  // MARK: One of several sources

  /// Delivers a value, unless its source has been replaced by then.
  @inlinable @inline(__always)
  func send(_ value: Value, from source: Subscription) {
    if gate.enter() {
      pass(value, from: source)
      gate.leave()
    } else {
      later { self.pass(value, from: source) }
    }
  }

  @inlinable @inline(__always)
  func pass(_ value: Value, from source: Subscription) {
    if scope.isActive, !source.wasAbandoned { deliver(value) }
  }

  // MARK: One source

  /// Delivers a value of a stage that drops what it holds by clearing its own state.
  @inlinable
  func send(_ value: Value) {
    if gate.enter() {
      pass(value)
      gate.leave()
    } else {
      later { self.pass(value) }
    }
  }

  /// The same, and calls `handled` when the value has been delivered, here or by whoever is inside.
  @inlinable
  func send(_ value: Value, handled: @escaping @Sendable () -> Void) {
    if gate.enter() {
      pass(value)
      gate.leave()
      handled()
    } else {
      later {
        self.pass(value)
        handled()
      }
    }
  }

  @inlinable @inline(__always)
  func pass(_ value: Value) { if scope.isActive { deliver(value) } }

  /// Runs something inside the gate, at once or after what is there.
  @usableFromInline
  func run(_ event: @escaping @Sendable () -> Void) {
    if gate.enter() {
      event()
      gate.leave()
    } else {
      later(event)
    }
  }

  // MARK: The end

  /// Whether anybody would get a value now.
  ///
  /// Only from inside the gate.
  var isHeard: Bool { scope.isActive }

  @inlinable
  func end(_ end: End<Failure>) {
    if gate.enter() {
      scope.end(end)
      gate.leave()
    } else {
      later { self.scope.end(end) }
    }
  }

  @usableFromInline @inline(never)
  func later(_ event: @escaping @Sendable () -> Void) {
    guard let id = trace?.id else {
      gate.wait(event, isSent: true)
      return
    }
    gate.wait(
      {
        self.gate.recordDepth(of: id)
        event()
      },
      tellingDepthOf: id,
      isSent: true
    )
  }

  /// Lets the closures go, once the delivery under way has returned.
  @usableFromInline
  override func teardown(_ ending: Ending) {
    if gate.enter() {
      release()
      gate.leave()
    } else {
      gate.waitToClear { self.release() }
    }
  }

  private func release() {
    let former = next
    next = nil
    former?.release()
  }
}

/// A closure as an object.
@usableFromInline
final class Handler<Value: Sendable>: Sendable {
  @usableFromInline let handle: @Sendable (Value) -> Void

  @inlinable
  init(_ handle: __owned @escaping @Sendable (Value) -> Void) { self.handle = handle }
}
