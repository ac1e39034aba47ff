extension Gate {
  /// Runs `event` inside the gate: at once, or after the events before it if the gate is taken.
  @usableFromInline
  borrowing func run(_ event: @escaping @Sendable () -> Void) {
    if enter() {
      event()
      leave()
    } else {
      enqueue(event)
    }
  }

  /// Runs `event` like ``run(_:)``, but allocates only if the event has to wait.
  ///
  /// For that, `event` must capture nothing, and take all that it needs from its parameters.
  @inlinable @inline(__always)
  borrowing func run<Target: Sendable, Value: Sendable>(
    _ target: Target,
    _ value: Value,
    _ event: @escaping @Sendable (Target, Value) -> Void
  ) {
    if enter() {
      event(target, value)
      leave()
    } else {
      enqueue { event(target, value) }
    }
  }

  /// Runs `event` like ``run(_:_:_:)``, with a third parameter: the input that the value comes
  /// from.
  @inlinable @inline(__always)
  borrowing func run<Target: Sendable, Value: Sendable, Input: Sendable>(
    _ target: Target,
    _ value: Value,
    _ input: Input,
    _ event: @escaping @Sendable (Target, Value, Input) -> Void
  ) {
    if enter() {
      event(target, value, input)
      leave()
    } else {
      enqueue { event(target, value, input) }
    }
  }
}
