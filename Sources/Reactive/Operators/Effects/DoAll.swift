public import TraceFormat

extension Signal {
  /// Runs closures when a subscription starts, at each of its events, and when it ends.
  ///
  /// ```
  /// source     -1-2-|
  /// do         -1-2-|
  /// ```
  ///
  /// Combines ``doStarted(_:file:line:column:)``, ``doNext(_:file:line:column:)``,
  /// ``doFailed(_:file:line:column:)``, ``doCompleted(_:file:line:column:)`` and
  /// ``doDisposed(_:file:line:column:)`` in one operator. The closure for an event runs before the
  /// event is forwarded. At a terminal event, `disposed` runs before `failed` or `completed` (event
  /// contract, rule 6).
  ///
  /// - Parameters:
  ///   - started: Runs once per subscription, before this signal is subscribed to.
  ///   - next: Runs with each value.
  ///   - failed: Runs with the failure.
  ///   - completed: Runs at completion.
  ///   - disposed: Runs once when the subscription ends, for whatever reason.
  /// - Returns: A signal with the same events.
  @inlinable
  public func `do`(
    started: @escaping @Sendable () -> Void = {},
    next: @escaping @Sendable (Value) -> Void = { _ in },
    failed: @escaping @Sendable (Failure) -> Void = { _ in },
    completed: @escaping @Sendable () -> Void = {},
    disposed: @escaping @Sendable () -> Void = {},
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("do", file, line, column, .passes), .one(self)) { [self] down in
      started()
      guard down.scope.isActive else { return disposed() }
      let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
        switch end {
        case .completed: completed()
        case .failed(let error): failed(error)
        case .sourceGone: break
        }
        scope.end(end)
      }
      upstream.own(ActionTeardown(disposed))
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [forward = down.next] value in
          next(value)
          forward(value)
        }
      )
    }
  }
}
