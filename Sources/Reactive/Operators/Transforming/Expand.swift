import TraceFormat

extension Signal {
  /// Turns each value into a signal, and each value of these signals into another signal, and so on
  /// without a limit.
  ///
  /// ```
  /// source              -1-----|
  /// expand              -1-2-4-8-…   each is turned into --n|, n being twice the value
  /// ```
  ///
  /// Each value is forwarded before its signal is subscribed to. Use it to walk trees, or to follow
  /// links from page to page. If signals send at once when they are subscribed to, at most 32
  /// subscriptions are nested on the stack; deeper subscriptions start when one of these has
  /// returned. The first failure ends the result and all inner signals.
  ///
  /// - Parameters:
  ///   - transform: Runs once per forwarded value; an empty signal ends the branch of that value.
  /// - Returns: A signal that ends when the source and all inner signals have ended.
  /// - Complexity: Retains every inner signal that has not ended, and the values whose signals have
  ///   not been subscribed to yet.
  public func expand(
    _ transform: @escaping @Sendable (Value) -> Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("expand", file, line, column, [.merging, .flattens]), .one(self)) { [self] down in
      ExpandStage(down, transform).start(self)
    }
  }
}

/// One subscription to `expand`.
///
/// Its gate, which lets one thread at a time deliver events, delivers a value first and then
/// subscribes to the signal of the value. The gate also limits how deeply such subscriptions are
/// nested.
private final class ExpandStage<Value: Sendable, Failure: Error>: Sendable {
  private let merging: Merging<Value, Failure>
  private let transform: @Sendable (Value) -> Signal<Value, Failure>

  init(
    _ down: Sink<Value, Failure>,
    _ transform: @escaping @Sendable (Value) -> Signal<Value, Failure>
  ) {
    merging = Merging(down)
    self.transform = transform
  }

  func start(_ signal: Signal<Value, Failure>) {
    let part = merging.part()
    guard part.isActive else { return }
    signal.attach(Sink(part, merging.trace, merging.outlet) { self.receive($0, from: part) })
  }

  private func receive(_ value: Value, from part: Subscription) {
    merging.outlet.run(self, value, part) { $0.forward($1, from: $2) }
  }

  /// Forwards a value inside the gate, and subscribes to the signal of the value when the gate has
  /// been left.
  private func forward(_ value: Value, from part: Subscription) {
    let outlet = merging.outlet
    outlet.pass(value, from: part)
    guard merging.scope.isActive else { return }
    merging.join()
    outlet.gate.openLater { outlet.whenOpen { self.expand(value) } }
  }

  private func expand(_ value: Value) {
    if merging.scope.isActive { start(transform(value)) }
  }
}
