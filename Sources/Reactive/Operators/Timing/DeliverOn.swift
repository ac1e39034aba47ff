public import TraceFormat

extension Signal {
  /// Delivers all events on a scheduler, in order.
  ///
  /// Values, failure and completion are queued alike: a failure does not overtake values (event
  /// contract, rule 4). Events that are queued when the subscription ends are dropped. Only one
  /// piece of work is scheduled at a time, so that events stay in order even on a concurrent
  /// scheduler. The work delivers all events that are waiting when it runs. After 256 events, or
  /// after about a millisecond, it leaves the rest to another piece of work, so that other work of
  /// the scheduler gets its turn.
  ///
  /// - Parameters:
  ///   - scheduler: Where the events are delivered.
  /// - Returns: A signal with the same events in the same order.
  /// - Complexity: Retains the waiting events, without a bound.
  @inlinable
  public func deliver(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("deliver(on:)", file, line, column, [.queues, .switchesQueue]),
      .one(self),
      argument: .scheduler(scheduler.identity)
    ) { [self] down in
      let stage = DeliverStage(down, scheduler)
      down.scope.own(stage)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.post(.end($0)) }
      attach(Sink(upstream, down.trace, nil) { stage.post(.next($0)) })
    }
  }
}
