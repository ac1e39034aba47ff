public import TraceFormat

/// Sends the latest values of two signals: as soon as both have sent one, and then whenever either
/// sends another.
///
/// ```
/// a               -1---2------|
/// b               ---a---b-|
/// combineLatest   ---A-B-C----|   A: 1a, B: 2a, C: 2b
/// ```
///
/// Completes when both have completed. A failure of either is forwarded at once.
///
/// - Parameters:
///   - a: Subscribed to first.
///   - b: Subscribed to second.
/// - Returns: A signal of the latest values of both.
/// - Complexity: Retains one value of each signal.
@inlinable
public func combineLatest<A, B, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B), Failure> {
  Signal<(A, B), Failure>(
    gated: Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b]),
    argument: .none
  ) {
    CombineStage<LatestPair<A, B>, Failure>.start({ a.attach($0) }, { b.attach($0) }, $0)
  }
}

/// Sends the latest values of three signals; see `combineLatest(_:_:)`.
public func combineLatest<A, B, C, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C), Failure> {
  Signal<(A, B, C), Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c]),
    argument: .none
  ) { combine(.latest, a, b, c, into: $0) { ($0, $1, $2) } }
}

/// Sends the latest values of four signals; see `combineLatest(_:_:)`.
public func combineLatest<A, B, C, D, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D), Failure> {
  Signal<(A, B, C, D), Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d]),
    argument: .none
  ) { combine(.latest, a, b, c, d, into: $0) { ($0, $1, $2, $3) } }
}

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
public func combineLatest<A, B, AFailure, BFailure>(
  _ a: Signal<A, AFailure>,
  _ b: Signal<B, BFailure>
) -> Signal<(A, B), any Error> { .never() }

extension Signal {
  /// Sends the latest values of this signal and another; see `combineLatest(_:_:)`.
  @inlinable
  public func combineLatest<Other: Sendable>(
    with other: Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    Reactive.combineLatest(self, other, file: file, line: line, column: column)
  }
}
