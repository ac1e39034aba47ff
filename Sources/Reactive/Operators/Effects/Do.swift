public import TraceFormat

extension Signal {
  /// Runs a closure with each value before the value is forwarded.
  ///
  /// ```
  /// source     -1-2-|
  /// doNext     x1x2-|      x: the closure, which runs in the frame of its value
  /// ```
  ///
  /// - Parameters:
  ///   - action: Runs once per value and subscription, on whatever thread sends the value.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doNext(
    _ action: @escaping @Sendable (Value) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doNext", file, line, column, .passes), .one(self)) { [self] down in
      attach(
        down.with { [next = down.next] value in
          action(value)
          next(value)
        }
      )
    }
  }

  /// Runs a closure with the failure before the failure is forwarded.
  ///
  /// ```
  /// source       -1-2-#
  /// doFailed     -1-2-x#      x: the closure
  /// ```
  ///
  /// Upstream has been torn down when the closure runs (event contract, rule 6).
  ///
  /// - Parameters:
  ///   - action: Runs at most once per subscription.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doFailed(
    _ action: @escaping @Sendable (Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doFailed", file, line, column, .passes), .one(self)) { [self] down in
      attachWatchingEnd(to: down) { if case .failed(let error) = $0 { action(error) } }
    }
  }

  /// Runs a closure before completion is forwarded.
  ///
  /// ```
  /// source          -1-2-|
  /// doCompleted     -1-2-x|      x: the closure
  /// ```
  ///
  /// Upstream has been torn down when the closure runs (event contract, rule 6).
  ///
  /// - Parameters:
  ///   - action: Runs at most once per subscription.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doCompleted(
    _ action: @escaping @Sendable () -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doCompleted", file, line, column, .passes), .one(self)) { [self] down in
      attachWatchingEnd(to: down) { if case .completed = $0 { action() } }
    }
  }

  /// Runs a closure once when a subscription ends: with a terminal event (before the event is
  /// forwarded), by disposal, or because the source can no longer send.
  ///
  /// ```
  /// source         -1-2-|
  /// doDisposed     -1-2-x|      x: the closure
  /// ```
  ///
  /// To run a closure at terminal events only, use ``finally(_:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - action: Runs once per subscription, on the thread that ends it.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doDisposed(
    _ action: @escaping @Sendable () -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doDisposed", file, line, column, .passes), .one(self)) { [self] down in
      let upstream = down.part()
      upstream.own(ActionTeardown(action))
      attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
    }
  }

  @inlinable
  func attachWatchingEnd(
    to down: Sink<Value, Failure>,
    _ action: @escaping @Sendable (End<Failure>) -> Void
  ) {
    let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
      action(end)
      scope.end(end)
    }
    attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
  }
}
