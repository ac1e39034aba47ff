public import ReactiveTrace

extension Signal {
  /// Fails, unless this signal has ended in time.
  ///
  /// ```
  /// source                -1-2-3-4-|
  /// timeout (after: 6)    -1-2-3#
  /// ```
  ///
  /// The time begins with the subscription and bounds the *whole* signal, as in ReactiveCocoa; in RxSwift
  /// and Combine `timeout` bounds the gap between values, which is
  /// `timeout(each:)` here. A source that is gone without an end has not ended in time (contract rule 11).
  ///
  /// - Parameters:
  ///   - interval: How long it may take.
  ///   - scheduler: Whose time it is, and where the failure is sent.
  ///   - error: What it fails with.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends by itself, and ends its source when it does.
  /// - Complexity: Retains one timer.
  @inlinable
  public func timeout(
    after interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: Failure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(after:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: false, on: scheduler, site, { $0 }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Goes on with another signal, unless this one has ended in time.
  ///
  /// ```
  /// source                -1-2-3-4-|
  /// other                       -5-6-|
  /// timeout (after: 6)    -1-2-3-5-6-|
  /// ```
  ///
  /// The time begins with the subscription and bounds the *whole* signal. There is no limit for the other.
  ///
  /// - Parameters:
  ///   - interval: How long it may take.
  ///   - scheduler: Whose time it is, and where the other is subscribed to.
  ///   - other: Subscribed to after the source has been disposed of.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends as this one does, or else as the other.
  /// - Complexity: Retains one timer.
  @inlinable
  public func timeout(
    after interval: Duration,
    on scheduler: some Scheduler,
    switchingTo other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(after:)", file, line, column, [.merging, .passes])
    return limited(interval, each: false, on: scheduler, site, other: other, { $0 }) {
      $0.attachLater(other)
    }
  }

  /// Fails where a value is too long in coming.
  ///
  /// ```
  /// source               -1-2------3-|
  /// timeout (each: 4)    -1-2---#
  /// ```
  ///
  /// The time begins with the subscription, and anew with each value; the source has to end in time too.
  ///
  /// - Parameters:
  ///   - interval: How long it may be quiet.
  ///   - scheduler: Whose time it is, and where the failure is sent.
  ///   - error: What it fails with.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends by itself, and ends its source when it does.
  /// - Complexity: Retains one timer, which is not armed anew for each value.
  @inlinable
  public func timeout(
    each interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: Failure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(each:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: true, on: scheduler, site, { $0 }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Goes on with another signal where a value is too long in coming.
  ///
  /// ```
  /// source               -1-2------3-|
  /// other                       -5-6-|
  /// timeout (each: 4)    -1-2----5-6-|
  /// ```
  ///
  /// The time begins with the subscription, and anew with each value; the source has to end in time too.
  /// There is no limit for the other.
  ///
  /// - Parameters:
  ///   - interval: How long it may be quiet.
  ///   - scheduler: Whose time it is, and where the other is subscribed to.
  ///   - other: Subscribed to after the source has been disposed of.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends as this one does, or else as the other.
  /// - Complexity: Retains one timer, which is not armed anew for each value.
  @inlinable
  public func timeout(
    each interval: Duration,
    on scheduler: some Scheduler,
    switchingTo other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("timeout(each:)", file, line, column, [.merging, .passes])
    return limited(interval, each: true, on: scheduler, site, other: other, { $0 }) {
      $0.attachLater(other)
    }
  }
}

extension Signal where Failure == Never {
  /// Fails, unless this signal, which cannot fail otherwise, has ended in time; see
  /// ``timeout(after:on:failingWith:file:line:column:)``.
  @inlinable
  public func timeout<NewFailure: Error>(
    after interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: NewFailure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    let site = Site("timeout(after:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: false, on: scheduler, site, { $0.promoted() }) {
      $0.scope.end(.failed(error))
    }
  }

  /// Fails where a value of this signal, which cannot fail otherwise, is too long in coming; see
  /// ``timeout(each:on:failingWith:file:line:column:)``.
  @inlinable
  public func timeout<NewFailure: Error>(
    each interval: Duration,
    on scheduler: some Scheduler,
    failingWith error: NewFailure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    let site = Site("timeout(each:)", file, line, column, [.bounding, .passes])
    return limited(interval, each: true, on: scheduler, site, { $0.promoted() }) {
      $0.scope.end(.failed(error))
    }
  }
}

extension Signal {
  /// All of them: the stage runs into a scope of its own, whose end tells what is to follow.
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
      let limit = UpstreamScope<TimeoutFailure<Failure>>(in: down.scope) { end in
        switch end {
        case .completed: down.scope.end(.completed)
        case .sourceGone: down.scope.end(.sourceGone)
        case .failed(.source(let error)): down.scope.end(promoted(.failed(error)))
        case .failed(.timedOut): timedOut(down)
        }
      }
      let stage = TimedStage(
        Sink(limit, down.trace, down.below, next: down.next),
        TimeoutState<Value, Failure>(interval, each: each),
        on: scheduler,
        site: site
      )
      let upstream = UpstreamScope<Failure>(in: limit) { end in
        // A source that is gone has not ended in time (contract rule 11).
        if case .sourceGone = end { return }
        stage.end(TimeoutFailure.end(end))
      }
      stage.start()
      guard upstream.isActive else { return }
      attach(Sink(upstream, down.trace, stage.outlet) { stage.receive($0) })
    }
  }
}
