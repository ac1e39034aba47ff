extension Signal {
  /// Collects values into a list: `step` adds a value to the list, and returns a list to send, or
  /// nil.
  ///
  /// When the source completes, the lists that `rest` makes from the remaining values are sent; any
  /// other end drops these values.
  @inlinable
  func attachCollecting(
    to down: Sink<[Value], Failure>,
    rest: @escaping @Sendable ([Value]) -> [[Value]] = { [$0] },
    _ step: @escaping @Sendable (inout [Value], Value) -> [Value]?
  ) {
    let held = StageState(Held<[Value]>([], for: down.trace))
    let upstream = UpstreamScope<Failure>(in: down.scope) { end in
      let left = held.value.values
      held.value.values = []
      if case .completed = end, !left.isEmpty {
        for list in rest(left) where down.scope.isActive { down.next(list) }
      }
      down.scope.end(end)
    }
    attach(
      Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
        if let list = held.value.change({ step(&$0, value) }) { next(list) }
      }
    )
  }
}
