public import TraceFormat

extension Signal {
  /// Fails, unless this signal ends in time.
  ///
  /// ```
  /// source                -1-2-3-4-|
  /// timeout (after: 6)    -1-2-3#
  /// ```
  ///
  /// The time begins with the subscription and bounds the *whole* signal, as in ReactiveCocoa;
  /// `timeout` of RxSwift and Combine bounds the gap between values, which is `timeout(each:)`
  /// here. If the source can no longer send, the time still runs out (event contract, rule 11).
  ///
  /// - Parameters:
  ///   - interval: How long this signal may take to end.
  ///   - scheduler: Where the time is measured and the failure is sent.
  ///   - error: The failure.
  /// - Returns: A signal that ends as this one does, or fails when the time has run out.
  /// - Complexity: Retains one timer.
  @inlinable
  public func timeout(
    after interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(after:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: false, on: scheduler, site, { $0 }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Continues with another signal, unless this one ends in time.
  ///
  /// ```
  /// source                -1-2-3-4-|
  /// other                       -5-6-|
  /// timeout (after: 6)    -1-2-3-5-6-|
  /// ```
  ///
  /// The time begins with the subscription and bounds the *whole* signal. The other signal has no
  /// limit.
  ///
  /// - Parameters:
  ///   - interval: How long this signal may take to end.
  ///   - scheduler: Where the time is measured and the other signal is subscribed to.
  ///   - other: Subscribed to after the source has been disposed of.
  /// - Returns: A signal that ends as this one does, or after a timeout as the other one does.
  /// - Complexity: Retains one timer.
  @inlinable
  public func timeout(
    after interval: Duration,
    on scheduler: some Scheduler,
    switchingTo other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(after:)", file, line, column, [.merging, .passes])
    return limited(interval, each: false, on: scheduler, site, other: other, { $0 }) {
      $0.attachLater(other)
    }
  }

  /// Fails if a value takes too long to come.
  ///
  /// ```
  /// source               -1-2------3-|
  /// timeout (each: 4)    -1-2---#
  /// ```
  ///
  /// The time begins with the subscription and restarts with each value; after the last value, the
  /// source has to end before the time runs out.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - scheduler: Where the time is measured and the failure is sent.
  ///   - error: The failure.
  /// - Returns: A signal that ends as this one does, or fails when the time has run out.
  /// - Complexity: Retains one timer, which is not armed anew for each value.
  @inlinable
  public func timeout(
    each interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(each:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: true, on: scheduler, site, { $0 }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Continues with another signal if a value takes too long to come.
  ///
  /// ```
  /// source               -1-2------3-|
  /// other                       -5-6-|
  /// timeout (each: 4)    -1-2----5-6-|
  /// ```
  ///
  /// The time begins with the subscription and restarts with each value; after the last value, the
  /// source has to end before the time runs out. The other signal has no limit.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - scheduler: Where the time is measured and the other signal is subscribed to.
  ///   - other: Subscribed to after the source has been disposed of.
  /// - Returns: A signal that ends as this one does, or after a timeout as the other one does.
  /// - Complexity: Retains one timer, which is not armed anew for each value.
  @inlinable
  public func timeout(
    each interval: Duration,
    on scheduler: some Scheduler,
    switchingTo other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(each:)", file, line, column, [.merging, .passes])
    return limited(interval, each: true, on: scheduler, site, other: other, { $0 }) {
      $0.attachLater(other)
    }
  }
}

extension Signal where Failure == Never {
  /// Fails, unless this signal, which cannot fail otherwise, ends in time; see
  /// ``timeout(after:on:failingWith:file:line:column:)``.
  @inlinable
  public func timeout<NewFailure: Error>(
    after interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: NewFailure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    let site = Site("timeout(after:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: false, on: scheduler, site, { $0.promoted() }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Fails if a value of this signal, which cannot fail otherwise, takes too long to come; see
  /// ``timeout(each:on:failingWith:file:line:column:)``.
  @inlinable
  public func timeout<NewFailure: Error>(
    each interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: NewFailure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    let site = Site("timeout(each:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: true, on: scheduler, site, { $0.promoted() }) {
      $0.scope.end(.failed(error))
    }
  }
}

extension Signal {
  /// The implementation of all forms of `timeout`.
  ///
  /// The subscription to the source can be ended separately, so that a timeout can end it first,
  /// and then fail or continue with another signal.
  @inlinable
  func limited<NewFailure: Error>(
    _ interval: Duration,
    each: Bool,
    on scheduler: any Scheduler,
    _ site: Site,
    other: Signal<Value, NewFailure>? = nil,
    _ promoted: @escaping @Sendable (End<Failure>) -> End<NewFailure>,
    timedOut: @escaping @Sendable (Sink<Value, NewFailure>) -> Void
  ) -> Signal<Value, NewFailure> {
    let upstreams: Upstreams = other.map { .many([self, $0]) } ?? .one(self)
    return Signal<Value, NewFailure>(site, upstreams, argument: .duration(interval)) {
      [self] down in
      let limit = UpstreamScope<Failure>(in: down.scope) { down.scope.end(promoted($0)) }
      let outlet = Outlet(Sink(limit, down.trace, down.downstreamGate, next: down.next))
      limit.own(outlet)
      let time = TimeLimit(interval, restartsWithEachValue: each, on: scheduler, site, down.trace) {
        outlet.run { limit.end(.cancelled, then: { timedOut(down) }) }
      }
      limit.own(time)
      let upstream = UpstreamScope<Failure>(in: limit) { end in
        // If the source can no longer send, the time still runs out (event contract, rule 11).
        if case .sourceGone = end { return }
        outlet.end(end)
      }
      time.start()
      guard upstream.isActive else { return }
      attach(
        Sink(upstream, down.trace, outlet) {
          time.received()
          outlet.send($0)
        }
      )
    }
  }
}
