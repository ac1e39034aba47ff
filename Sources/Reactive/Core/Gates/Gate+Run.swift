extension Gate {
  /// Runs something inside the gate: at once, or, if the gate is taken, in its turn there.
  @usableFromInline
  borrowing func run(_ event: @escaping @Sendable () -> Void) {
    if enter() {
      event()
      leave()
    } else {
      wait(event)
    }
  }

  /// Does the same for the way of every value: unless it has to wait, nothing is allocated, provided that
  /// `event` captures nothing and takes what it needs from its parameters.
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
      wait { event(target, value) }
    }
  }

  /// Does the same with the input of the stage that the value comes from.
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
      wait { event(target, value, input) }
    }
  }
}
