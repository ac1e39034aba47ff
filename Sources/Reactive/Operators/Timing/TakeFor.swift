public import ReactiveTrace

extension Signal {
  /// Forwards values for a while, then completes and ends the source.
  ///
  /// ```
  /// source          -1-2-3-4-|
  /// take (for 6)    -1-2-3|
  /// ```
  ///
  /// The time begins with the subscription. Also where it is zero, what the source sends while it is being
  /// subscribed to is forwarded; not on a scheduler that runs work at once, as ``ImmediateScheduler``, on
  /// which the time is over before: there the result completes without subscribing to the source.
  /// Where the source is gone without an end, the result completes when the time is over (contract rule 11).
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - scheduler: Whose time it is, and where completion is sent.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that completes by itself, and ends its source when it does.
  /// - Complexity: Retains one timer.
  public func take(
    for duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("take(for:)", file, line, column, [.bounding, .passes])
    return Signal(site, .one(self), argument: .duration(duration)) { [self] down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let timer = ScheduledTimer(on: scheduler, after: duration, site: site, trace: down.trace) {
        outlet.end(.completed)
      }
      down.scope.own(timer)
      timer.arm()
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Failure>(in: down.scope) { end in
        // Then the timer completes what is left (contract rule 11).
        if case .sourceGone = end { return }
        outlet.end(end)
      }
      attach(Sink(source, down.trace, outlet) { outlet.send($0, from: source) })
    }
  }

  /// Leaves out values for a while.
  ///
  /// ```
  /// source          -1-2-3-4-|
  /// skip (for 4)    -----3-4-|
  /// ```
  ///
  /// The time begins with the subscription.
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - scheduler: Whose time it is; nothing is scheduled on it.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends exactly when, and as, this one does.
  @inlinable
  public func skip(
    for duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(
      Site("skip(for:)", file, line, column, .drops),
      .one(self),
      argument: .duration(duration)
    ) {
      [self] down in
      let begin = scheduler.now + duration
      let isOpen = StageState(false)
      attach(
        down.with { [next = down.next] value in
          if !isOpen.value { isOpen.value = scheduler.now >= begin }
          if isOpen.value { next(value) }
        }
      )
    }
  }
}
