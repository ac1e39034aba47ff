public import TraceFormat

extension Signal {
  /// Forwards values for a given time, then disposes of the source and completes.
  ///
  /// ```
  /// source          -1-2-3-4-|
  /// take (for 6)    -1-2-3|
  /// ```
  ///
  /// The time begins with the subscription. Even if that time is zero, values that the source sends
  /// while it is being subscribed to are forwarded. But if the scheduler runs work at once, as
  /// ``ImmediateScheduler`` does, the time is over at once, and the result completes without
  /// subscribing to the source. If the source can no longer send, the result completes when the
  /// time is over (event contract, rule 11).
  ///
  /// - Parameters:
  ///   - duration: How long values are forwarded.
  ///   - scheduler: Where the time is measured, and where completion is sent when the time is over.
  /// - Returns: A signal that completes when the time is over, or ends as this one does if this one
  ///   ends first.
  /// - Complexity: Retains one timer.
  public func take(
    for duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
        // The timer still completes the result (event contract, rule 11).
        if case .sourceGone = end { return }
        outlet.end(end)
      }
      attach(Sink(source, down.trace, outlet) { outlet.send($0, from: source) })
    }
  }

  /// Leaves out values for a given time.
  ///
  /// ```
  /// source          -1-2-3-4-|
  /// skip (for 4)    -----3-4-|
  /// ```
  ///
  /// The time begins with the subscription.
  ///
  /// - Parameters:
  ///   - duration: How long values are left out.
  ///   - scheduler: Provides the time; nothing is scheduled on it.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func skip(
    for duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
