public import TraceFormat

extension Signal {
  /// Sends each value of this signal together with the latest value of another.
  ///
  /// ```
  /// source             -1---2-3---|
  /// other              ---a----b-|
  /// withLatest(from:)  -----A-B---|   A: 2a, B: 3a
  /// ```
  ///
  /// Values of this signal that arrive before the other has sent one are dropped. The result
  /// completes when this signal does. When the other signal completes, its last value stays in use;
  /// if it completes without a value, the result sends no values. A failure of either is forwarded
  /// at once.
  ///
  /// - Parameters:
  ///   - other: Subscribed to before this signal, so that a value that the other signal sends at
  ///     once is available for the first value of this signal.
  /// - Returns: A signal that sends at most as many values as this one, and completes when this one
  ///   does.
  /// - Complexity: Retains one value of the other signal.
  @inlinable
  public func withLatest<Other: Sendable>(
    from other: Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    Signal<(Value, Other), Failure>(
      Site("withLatest(from:)", file, line, column, [.passes, .waitsForAll, .sampled]),
      .many([self, other]),
      argument: .none
    ) { [self] down in
      let stage = WithLatestStage<Value, Other, Failure>(down)
      let side = UpstreamScope<Failure>(in: down.scope) { end in
        if case .failed = end { stage.gate.run(stage, end) { $0.scope.end($1) } }
      }
      let kept = Arrival.collect { other.attach(stage.sink(side, down.trace)) }
      if down.scope.isActive { stage.start(self, down.trace, after: kept) }
    }
  }

  /// Sends each value of this signal together with the latest value of another, which cannot fail;
  /// see the overload for two signals with the same type of failure.
  @inlinable @_disfavoredOverload
  public func withLatest<Other: Sendable>(
    from other: Signal<Other, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    Signal<(Value, Other), Failure>(
      Site("withLatest(from:)", file, line, column, [.passes, .waitsForAll, .sampled]),
      .many([self, other]),
      argument: .none
    ) { [self] down in
      let stage = WithLatestStage<Value, Other, Failure>(down)
      let side = UpstreamScope<Never>(in: down.scope) { _ in }
      let kept = Arrival.collect { other.attach(stage.sink(side, down.trace)) }
      if down.scope.isActive { stage.start(self, down.trace, after: kept) }
    }
  }
}

/// The state of one subscription to `withLatest`.
///
/// This class is `@unchecked Sendable` because its state is changed only inside the gate, which
/// lets one thread at a time deliver events.
@usableFromInline
final class WithLatestStage<Value: Sendable, Other: Sendable, Failure: Error>: GatedStage,
  @unchecked Sendable
{
  @usableFromInline let scope: Scope<Failure>
  @exclusivity(unchecked) @usableFromInline var next: @Sendable ((Value, Other)) -> Void
  @exclusivity(unchecked) @usableFromInline var latest: Other?

  @inlinable
  init(_ down: Sink<(Value, Other), Failure>) {
    scope = down.scope
    next = down.next
    super.init(downstream: down.downstreamGate)
    down.scope.own(self)
  }

  /// Subscribes to `source`, each of whose values is sent with the latest value of the other
  /// signal.
  @inlinable
  func start(_ source: Signal<Value, Failure>, _ trace: SubscriptionTrace?, after kept: Arrival?) {
    let part = UpstreamScope<Failure>(in: scope) { [self] in gate.run(self, $0) { $0.scope.end($1) }
    }
    source.attach(
      Sink(part, trace, self) { [self] value in
        gate.run(self, value) { $0.receive($1) }
      },
      after: kept
    )
  }

  /// Returns the sink for the other signal.
  @inlinable
  func sink<OtherFailure: Error>(
    _ side: Scope<OtherFailure>,
    _ trace: SubscriptionTrace?
  ) -> Sink<Other, OtherFailure> {
    Sink(side, trace, self) { [self] value in
      gate.run(self, value) { $0.note($1) }
    }
  }

  @inlinable
  func receive(_ value: Value) {
    guard scope.isActive, let latest else { return }
    next((value, latest))
  }

  @inlinable
  func note(_ value: Other) { if scope.isActive { latest = value } }

  @usableFromInline
  override func clear() {
    next = { _ in }
    latest = nil
  }
}
