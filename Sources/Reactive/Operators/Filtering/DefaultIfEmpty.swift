public import TraceFormat

extension Signal {
  /// Sends a default value before completion if the source has sent no value.
  ///
  /// ```
  /// source              -1-2-|   ---|
  /// defaultIfEmpty(9)   -1-2-|   ---(9|)
  /// ```
  ///
  /// If the source fails, the failure is forwarded, and the default value is not sent.
  ///
  /// - Parameters:
  ///   - value: Sent if the source completes without a value.
  /// - Returns: A signal that ends when this one does, and in the same way.
  @inlinable
  public func defaultIfEmpty(
    _ value: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("defaultIfEmpty", file, line, column, .passes), .one(self)) { [self] down in
      attachIfEmpty(to: down) {
        down.next(value)
        down.scope.end(.completed)
      }
    }
  }

  /// Subscribes to this signal and forwards its events.
  ///
  /// If this signal completes without a value, `finish` runs instead and has to end the
  /// subscription, at once or later.
  @inlinable
  func attachIfEmpty(to down: Sink<Value, Failure>, _ finish: @escaping @Sendable () -> Void) {
    let isEmpty = StageState(true)
    let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
      if case .completed = end, isEmpty.value { finish() } else { scope.end(end) }
    }
    attach(
      Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
        isEmpty.value = false
        next(value)
      }
    )
  }
}
