public import ReactiveTrace

extension Signal {
  /// Collects values into a list: `step` adds one, and returns what is to be sent, if anything.
  ///
  /// Completion sends the result of `rest` for the remaining values; any other end drops them.
  @inlinable
  func attachCollecting(
    to down: Sink<[Value], Failure>,
    rest: @escaping @Sendable ([Value]) -> [[Value]] = { [$0] },
    _ step: @escaping @Sendable (inout [Value], Value) -> [Value]?
  ) {
    let held = StageState<[Value]>([])
    let upstream = UpstreamScope<Failure>(in: down.scope) { end in
      let left = held.value
      held.value = []
      if case .completed = end, !left.isEmpty {
        for list in rest(left) where down.scope.isActive { down.next(list) }
      }
      down.scope.end(end)
    }
    attach(
      Sink(upstream, down.trace, down.below) { [next = down.next, trace = down.trace] value in
        let list = step(&held.value, value)
        if let trace { Tracer.depth(trace.id, held.value.count) }
        if let list { next(list) }
      }
    )
  }
}
