import TraceFormat

extension Signal {
  /// Ignores the values of this signal and, once this signal has completed, forwards another
  /// signal.
  ///
  /// ```
  /// source        -1-2-|
  /// other              -3-|
  /// then(other)   ------3-|
  /// ```
  ///
  /// If this signal fails, the failure is forwarded, and the other signal is never subscribed to.
  ///
  /// - Parameters:
  ///   - other: Subscribed to when this signal has completed.
  /// - Returns: A signal of the values of the other signal.
  public func then<Other: Sendable>(
    _ other: Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Other, Failure> {
    Signal<Other, Failure>(
      Site("then", file, line, column, .merging),
      .many([self, other]),
      argument: .following(Descending<Other, Failure>(ignoringValues(), .signal(other)))
    ) { [self] down in attach(down, thenOnly: { other }) }
  }

  /// Ignores the values of this signal and, once this signal has completed, forwards a signal that
  /// a closure makes.
  ///
  /// - Parameters:
  ///   - makeOther: Makes the other signal; runs at most once per subscription, when this signal
  ///     has completed.
  /// - Returns: A signal of the values of the other signal.
  public func then<Other: Sendable>(
    _ makeOther: @escaping @Sendable () -> Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Other, Failure> {
    Signal<Other, Failure>(
      Site("then", file, line, column, .merging),
      .one(self),
      argument: .descending(Descending<Other, Failure>(ignoringValues(), .deferred(makeOther)))
    ) { [self] down in attach(down, thenOnly: makeOther) }
  }

  /// This signal as an inner signal whose values are ignored.
  private func ignoringValues<Other: Sendable>() -> InnerSignal<Other, Failure> {
    .ignoringValues { [self] scope, trace in attach(Sink(in: scope, trace) { _ in }) }
  }

  private func attach<Other: Sendable>(
    _ down: Sink<Other, Failure>,
    thenOnly make: @escaping @Sendable () -> Signal<Other, Failure>
  ) {
    let tail = down.chained()
    let first = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end { tail.attachNext(make) } else { tail.scope.end(end) }
    }
    attach(Sink(first, down.trace, down.downstreamGate) { _ in })
  }
}
