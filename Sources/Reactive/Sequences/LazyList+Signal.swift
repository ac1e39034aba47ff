import TraceFormat

extension Signal {
  /// A cold signal that sends the values of a sequence on a scheduler, then completes.
  ///
  /// ```
  /// from([1, 2, 3], on: main)   1 2 3|   each in work of its own
  /// ```
  ///
  /// Each value is sent in a separate piece of work, so that other work of the scheduler can run in
  /// between; the values of a ``LazyList`` are evaluated in that work. The sequence may be endless:
  /// no value is taken from it after the subscription has ended.
  ///
  /// - Parameters:
  ///   - values: Iterated from the beginning for each subscription.
  ///   - scheduler: Where values are evaluated and sent.
  /// - Returns: A signal that iterates anew for each subscription; a ``LazyList`` keeps the
  ///   elements that it has evaluated.
  public static func from(
    _ values: some Sequence<Value> & Sendable,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("from(on:)", file, line, column, .source)
    return Signal(site, argument: .scheduler(scheduler.identity)) { down in
      // Runs never overlap, so that the iterator needs no lock.
      let iterator = StageState(values.makeIterator())
      let runs = scheduler.scheduleRecursively(for: down.trace) { again in
        guard down.scope.isActive else { return }
        guard let value = iterator.value.next() else { return down.scope.end(.completed) }
        down.next(value)
        again()
      }
      down.scope.own(DisposableTeardown(runs))
    }
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// A cold signal that sends the elements on a scheduler, each in a separate piece of work, then
  /// completes.
  ///
  /// See ``Signal/from(_:on:file:line:column:)``.
  public func signal(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Element, Never> {
    .from(self, on: scheduler, file: file, line: line, column: column)
  }
}
