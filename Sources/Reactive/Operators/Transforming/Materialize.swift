public import TraceFormat

extension Signal {
  /// Sends the events themselves as values, including the end, then completes.
  ///
  /// ```
  /// source        -1-2-#
  /// materialize   -a-b-(c|)   a: next(1), b: next(2), c: failed(…)
  /// ```
  ///
  /// - Returns: A signal that cannot fail.
  @inlinable
  public func materialize(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Event<Value, Failure>, Never> {
    Signal<Event<Value, Failure>, Never>(
      Site("materialize", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] down in
      let upstream = UpstreamScope<Failure>(in: down.scope) { end in
        switch end {
        case .completed: down.finish(with: .completed)
        case .failed(let error): down.finish(with: .failed(error))
        case .sourceGone: down.scope.end(.sourceGone)
        }
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] in next(.next($0)) }
      )
    }
  }

  /// Sends values as successes and the failure as the last value, then completes.
  ///
  /// ```
  /// source               -1-2-#
  /// materializeResults   -a-b-(c|)   a: success(1), b: success(2), c: failure(…)
  /// ```
  ///
  /// Completion is only forwarded, and not sent as a result.
  ///
  /// - Returns: A signal that cannot fail.
  @inlinable
  public func materializeResults(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result<Value, Failure>, Never> {
    Signal<Result<Value, Failure>, Never>(
      Site("materializeResults", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] down in
      let upstream = UpstreamScope<Failure>(in: down.scope) { end in
        switch end {
        case .completed: down.scope.end(.completed)
        case .failed(let error): down.finish(with: .failure(error))
        case .sourceGone: down.scope.end(.sourceGone)
        }
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] in next(.success($0)) }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns values that are events back into events.
  ///
  /// ```
  /// source          -a-b-c-d-|   a: next(1), b: next(2), c: failed(…)
  /// dematerialize   -1-2-#
  /// ```
  ///
  /// The first value that is a terminal event ends the signal, and the source is disposed of. If
  /// the source completes without such a value, the signal completes.
  ///
  /// - Returns: A signal that ends with the first terminal event, or with its source.
  @inlinable
  public func dematerialize<Inner: Sendable, InnerFailure: Error>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> where Value == Event<Inner, InnerFailure> {
    Signal<Inner, InnerFailure>(
      Site("dematerialize", file, line, column, [.bounding, .passes]),
      .one(self),
      argument: .none
    ) { [self] down in
      attach(
        Sink(down.infalliblePart(), down.trace, down.downstreamGate) {
          [next = down.next, scope = down.scope] event in
          switch event {
          case .next(let value): next(value)
          case .failed(let error): scope.end(.failed(error))
          case .completed: scope.end(.completed)
          }
        }
      )
    }
  }

  /// Turns values that are results back into values and a failure.
  ///
  /// ```
  /// source                 -a-b-c-d-|   a: success(1), b: success(2), c: failure(…)
  /// dematerializeResults   -1-2-#
  /// ```
  ///
  /// The first value that is a failure ends the signal, and the source is disposed of.
  ///
  /// - Returns: A signal that ends with the first failure, or with its source.
  @inlinable
  public func dematerializeResults<Inner: Sendable, InnerFailure: Error>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> where Value == Result<Inner, InnerFailure> {
    Signal<Inner, InnerFailure>(
      Site("dematerializeResults", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] down in
      attachTrying(to: down, down.infalliblePart()) { result throws(InnerFailure) in
        try result.get()
      }
    }
  }
}

extension Sink {
  /// Sends a last value, then completes.
  @inlinable
  func finish(with last: Value) {
    if scope.isActive { next(last) }
    scope.end(.completed)
  }
}
