public import TraceFormat

/// Pairs the first values of two signals, then the second values, and so on.
///
/// ```
/// a     -1-2-----3-|
/// b     ---a-b-|
/// zip   ---1a2b|
/// ```
///
/// Completes as soon as no further pair is possible: when one signal has completed and all its
/// values have been paired. If that signal has ended without an event instead of completing, the
/// result ends without an event, too. A failure of either is forwarded at once, and values that
/// wait for the other signal are dropped.
///
/// - Parameters:
///   - a: Subscribed to first.
///   - b: Subscribed to second.
/// - Returns: A signal of pairs.
/// - Complexity: Retains the values that wait for the other signal, without a bound.
@inlinable
public func zip<A, B, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B), Failure> {
  Signal<(A, B), Failure>(
    gated: Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b]),
    argument: .none
  ) {
    CombineStage<ZippedPair<A, B>, Failure>.start({ a.attach($0) }, { b.attach($0) }, $0)
  }
}

/// Groups the values of three signals; see `zip(_:_:)`.
public func zip<A, B, C, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C), Failure> {
  Signal<(A, B, C), Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c]),
    argument: .none
  ) { combine(.zipped, a, b, c, into: $0) { ($0, $1, $2) } }
}

/// Groups the values of four signals; see `zip(_:_:)`.
public func zip<A, B, C, D, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D), Failure> {
  Signal<(A, B, C, D), Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d]),
    argument: .none
  ) { combine(.zipped, a, b, c, d, into: $0) { ($0, $1, $2, $3) } }
}

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
public func zip<A, B, AFailure, BFailure>(
  _ a: Signal<A, AFailure>,
  _ b: Signal<B, BFailure>
) -> Signal<(A, B), any Error> { .never() }

extension Signal {
  /// Pairs the values of this signal and another; see `zip(_:_:)`.
  @inlinable
  public func zip<Other: Sendable>(
    with other: Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    Reactive.zip(self, other, file: file, line: line, column: column)
  }
}
