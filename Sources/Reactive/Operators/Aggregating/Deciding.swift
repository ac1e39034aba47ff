extension Signal {
  /// Subscribes to this signal until a value decides the result, then sends the result, cancels the
  /// subscription, and completes.
  ///
  /// Operators such as `contains`, which may not need all values, use this.
  ///
  /// - Parameters:
  ///   - down: Receives the result and the end.
  ///   - otherwise: The result if the source completes before any value has decided it; nil to send
  ///     no result.
  ///   - decide: Runs for each value until it returns a result.
  @inlinable
  func attachDeciding<Result: Sendable>(
    to down: Sink<Result, Failure>,
    otherwise: Result?,
    by decide: @escaping @Sendable (Value) -> Result?
  ) {
    let isDecided = StageState(false)
    let upstream = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end, !isDecided.value, let otherwise { down.next(otherwise) }
      down.scope.end(end)
    }
    attach(
      Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
        guard let result = decide(value) else { return }
        isDecided.value = true
        next(result)
        upstream.finish(.completed, upstream: .cancelled)
      }
    )
  }
}
