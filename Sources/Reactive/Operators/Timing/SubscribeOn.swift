import TraceFormat

extension Signal {
  /// Subscribes to this signal on a scheduler.
  ///
  /// The source decides on which scheduler its events arrive; use ``deliver(on:file:line:column:)``
  /// to choose another scheduler.
  ///
  /// Disposal before the scheduler runs the work cancels the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: Where the side effects of subscribing run.
  ///   - noClosure: Never pass this. The parameter keeps the compiler from taking a trailing
  ///     closure for `scheduler`.
  /// - Returns: A signal with the same events.
  public func subscribe(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> Signal {
    Signal(
      Site("subscribe(on:)", file, line, column, [.passes, .beginsElsewhere]),
      .one(self),
      argument: .scheduler(scheduler.identity)
    ) { [self] down in
      scheduler.run(down.startingWork(on: scheduler) { self.attach(down) })
    }
  }
}
