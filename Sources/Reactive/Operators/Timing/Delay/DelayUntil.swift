import TraceFormat

extension Signal {
  /// Forwards each value when a signal made for it sends or completes.
  ///
  /// ```
  /// source            -1-2------|
  /// signal of 1         -----x
  /// signal of 2          -x
  /// delay(until:)     ----2--1--|
  /// ```
  ///
  /// Values come in the order in which their signals send, not in the order of the source.
  /// Completes when this signal has completed and no value waits. A failure of this signal, or of a
  /// signal made for a value, drops the waiting values (event contract, rule 4). A value whose
  /// signal can neither send nor complete any more is dropped, and the result ends without an event
  /// (rule 11).
  ///
  /// - Parameters:
  ///   - until: Makes the signal for a value; runs once per value and subscription. Only the time
  ///     of that signal's first value matters; when the first value arrives, the signal is disposed
  ///     of.
  /// - Returns: A signal that ends when this one has ended and no value waits.
  /// - Complexity: Retains the waiting values, without a bound.
  public func delay<Trigger: Sendable>(
    until: @escaping @Sendable (Value) -> Signal<Trigger, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    delayed(Site("delay(until:)", file, line, column, .merging)) { stage, value in
      stage.hold(value, until: until(value)) { $0 }
    }
  }

  /// Forwards each value when a signal made for it, which cannot fail, sends or completes; see
  /// ``delay(until:file:line:column:)``.
  @_disfavoredOverload
  public func delay<Trigger: Sendable>(
    until: @escaping @Sendable (Value) -> Signal<Trigger, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    delayed(Site("delay(until:)", file, line, column, .merging)) { stage, value in
      stage.hold(value, until: until(value)) { $0.promoted() }
    }
  }

  private func delayed(
    _ site: Site,
    _ hold: @escaping @Sendable (DelayUntilStage<Value, Failure>, Value) -> Void
  ) -> Signal {
    Signal(site, .one(self)) { [self] down in
      let stage = DelayUntilStage(down)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) { hold(stage, $0) }
      )
    }
  }
}

/// One subscription to `delay(until:)`.
///
/// A waiting value is retained by the subscription to the signal that was made for the value.
private final class DelayUntilStage<Value: Sendable, Failure: Error>: Sendable {
  let merging: Merging<Value, Failure>
  private let waiting: HeldLocked<Waiting>

  private struct Waiting: Holding, Sendable {
    var held = 0
  }

  init(_ down: Sink<Value, Failure>) {
    merging = Merging(down)
    waiting = HeldLocked(Waiting(), for: down.trace)
  }

  func hold<Trigger: Sendable, TriggerFailure: Error>(
    _ value: Value,
    until trigger: Signal<Trigger, TriggerFailure>,
    _ promoted: @escaping @Sendable (End<TriggerFailure>) -> End<Failure>
  ) {
    merging.join()
    waiting.change { $0.held += 1 }
    let wait = UpstreamScope<TriggerFailure>(in: merging.scope) { [self] end in
      waiting.change { $0.held -= 1 }
      if case .completed = end { merging.outlet.send(value) }
      merging.ended(promoted(end))
    }
    let sink = Sink<Trigger, TriggerFailure>(wait, merging.trace, merging.outlet) { _ in
      wait.finish(.completed, upstream: .cancelled)
    }
    if merging.outlet.isPathOpen {
      trigger.attach(sink)
    } else {
      merging.outlet.whenOpen { if wait.isActive { trigger.attach(sink) } }
    }
  }
}
