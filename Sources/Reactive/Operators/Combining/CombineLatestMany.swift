public import TraceFormat

/// Sends the results that a closure makes from the latest values of several signals: as soon as all
/// have sent one, and then whenever any of them sends another.
///
/// ```
/// a               -1---2------|
/// b               ---3---4-|
/// combineLatest   ---4-5-6----|   with +
/// ```
///
/// Completes when all signals have completed. A failure of any of them is forwarded at once.
///
/// - Parameters:
///   - signals: Any number of signals, subscribed to in this order.
///   - transform: Runs once for each combination.
/// - Returns: A signal of the results.
/// - Complexity: Retains one value of each signal.
@_disfavoredOverload
public func combineLatest<each Value: Sendable, Output: Sendable, Failure: Error>(
  _ signals: repeat Signal<each Value, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    upstreams(repeat each signals)
  ) { down in combine(.latest, repeat each signals, into: down, transform) }
}

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
@_disfavoredOverload
public func combineLatest<each Value: Sendable, each Failure: Error, Output: Sendable>(
  _ signals: repeat Signal<each Value, each Failure>,
  transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, any Error> { .never() }

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
public func combineLatest<A, B, C, AFailure, BFailure, CFailure>(
  _ a: Signal<A, AFailure>,
  _ b: Signal<B, BFailure>,
  _ c: Signal<C, CFailure>
) -> Signal<(A, B, C), any Error> { .never() }

/// Sends the latest values of a list of signals: as soon as all have sent one, and then whenever
/// any of them sends another.
///
/// ```
/// a               -1---2------|
/// b               ---3---4-|
/// combineLatest   ---A-B-C----|   A: [1, 3], B: [2, 3], C: [2, 4]
/// ```
///
/// Completes when all signals have completed, or at once if there are none. A failure of any of
/// them is forwarded at once.
///
/// - Parameters:
///   - signals: Subscribed to in this order.
/// - Returns: A signal of arrays in the order of the signals.
/// - Complexity: O(n) per value. Retains one value of each signal.
@inlinable
public func combineLatest<Value: Sendable, Failure: Error>(
  _ signals: [Signal<Value, Failure>],
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<[Value], Failure> {
  Signal<[Value], Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many(signals),
    argument: .list
  ) { down in combine(.latest, signals, into: down) }
}

/// Sends the latest values of the signals in a sequence; see
/// ``combineLatest(_:file:line:column:)``.
///
/// - Parameters:
///   - signals: Iterated once, when this function is called.
/// - Returns: A signal of arrays in the order of the signals.
@inlinable @_disfavoredOverload
public func combineLatest<Value: Sendable, Failure: Error>(
  _ signals: some Sequence<Signal<Value, Failure>>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<[Value], Failure> {
  combineLatest(Array(signals), file: file, line: line, column: column)
}

/// Sends the latest values of five signals; see `combineLatest(_:_:)`.
public func combineLatest<A, B, C, D, E, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D, E), Failure> {
  Signal<(A, B, C, D, E), Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d, e]),
    argument: .none
  ) { combine(.latest, a, b, c, d, e, into: $0) { ($0, $1, $2, $3, $4) } }
}

/// Sends the latest values of six signals; see `combineLatest(_:_:)`.
public func combineLatest<A, B, C, D, E, F, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  _ f: Signal<F, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D, E, F), Failure> {
  Signal<(A, B, C, D, E, F), Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d, e, f]),
    argument: .none
  ) { combine(.latest, a, b, c, d, e, f, into: $0) { ($0, $1, $2, $3, $4, $5) } }
}
