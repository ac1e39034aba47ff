public import TraceFormat

extension Signal {
  /// Forwards values until another signal sends or completes, then completes.
  ///
  /// ```
  /// source            -1-2-3-4-|
  /// trigger           -----x
  /// take(until: …)    -1-2-|
  /// ```
  ///
  /// The trigger *fires* when it sends its first value or completes. It is subscribed to first, so
  /// if it fires at once, the source is never subscribed to. Its values are not used, and its
  /// failure is ignored. If the source can no longer send, the result still completes when the
  /// trigger fires (event contract, rule 11).
  ///
  /// - Parameters:
  ///   - trigger: Its first value or its completion completes the result.
  /// - Returns: A signal that ends the source and completes when the trigger fires; until then, it
  ///   ends as the source does.
  @inlinable
  public func take<Trigger: Sendable, TriggerFailure: Error>(
    until trigger: Signal<Trigger, TriggerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("take(until:)", file, line, column, [.bounding, .passes, .triggers]),
      .many([self, trigger]),
      argument: .none
    ) { [self] down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let signalled = UpstreamScope<TriggerFailure> { _ in }
      // If the source can no longer send, the result ends with the trigger; if the trigger has
      // failed or can no longer send, the result ends with the source. Both checks run inside the
      // gate, and so one after the other: the signal that ends second sees that the first has
      // ended.
      let source = UpstreamScope<Failure> { end in
        guard case .sourceGone = end else { return outlet.end(end) }
        outlet.run { if !signalled.isActive { outlet.end(end) } }
      }
      signalled.onEnd = { end in
        if case .completed = end { return outlet.end(.completed) }
        outlet.run { if !source.isActive { outlet.end(.sourceGone) } }
      }
      signalled.join(down.scope)
      source.join(down.scope)
      let fired = Arrival.collect {
        trigger.attach(Sink(signalled, down.trace, outlet) { _ in outlet.end(.completed) })
      }
      guard down.scope.isActive else { return }
      attach(Sink(source, down.trace, outlet) { outlet.send($0, from: source) }, after: fired)
    }
  }
}
