import TraceFormat

/// Sends the result of a closure for the first values of several signals, then for the second
/// values, and so on.
///
/// ```
/// a     -1-2-----3-|
/// b     ---4-5-|
/// zip   ---5-7|      with +
/// ```
///
/// Completes as soon as no further result is possible: when a signal has completed and all its
/// values have been used. If that signal has ended without an event instead of completing, the
/// result ends without an event, too. A failure of any signal is forwarded at once, and values that
/// wait for the other signals are dropped.
///
/// - Parameters:
///   - signals: Any number of signals, subscribed to in this order.
///   - transform: Runs once for each group of values.
/// - Returns: A signal of the results.
/// - Complexity: Retains the values that wait for the other signals, without a bound.
@_disfavoredOverload
public func zip<each Value: Sendable, Output: Sendable, Failure: Error>(
  _ signals: repeat Signal<each Value, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    upstreams(repeat each signals)
  ) { down in combine(.zipped, repeat each signals, into: down, transform) }
}

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
@_disfavoredOverload
public func zip<each Value: Sendable, each Failure: Error, Output: Sendable>(
  _ signals: repeat Signal<each Value, each Failure>,
  transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, any Error> { .never() }

/// Unavailable because the signals have different types of failure.
@available(
  *,
  unavailable,
  message: "the signals fail in different ways: use promoteFailure(to:) or mapFailure(_:) first"
)
public func zip<A, B, C, AFailure, BFailure, CFailure>(
  _ a: Signal<A, AFailure>,
  _ b: Signal<B, BFailure>,
  _ c: Signal<C, CFailure>
) -> Signal<(A, B, C), any Error> { .never() }

/// Sends the first values of a list of signals as one array, then the second values, and so on.
///
/// ```
/// a     -1-2-----3-|
/// b     ---4-5-|
/// zip   ---A-B|      A: [1, 4], B: [2, 5]
/// ```
///
/// Completes as soon as no further array is possible: when a signal has completed and all its
/// values have been used, or at once if there are no signals. If that signal has ended without an
/// event instead of completing, the result ends without an event, too. A failure of any signal is
/// forwarded at once, and values that wait for the other signals are dropped.
///
/// - Parameters:
///   - signals: Subscribed to in this order.
/// - Returns: A signal of arrays in the order of the signals.
/// - Complexity: O(n) per value. Retains the values that wait for the other signals, without a
///   bound.
public func zip<Value: Sendable, Failure: Error>(
  _ signals: [Signal<Value, Failure>],
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<[Value], Failure> {
  Signal<[Value], Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many(signals),
    argument: .list
  ) { down in combine(.zipped, signals, into: down) }
}

/// Groups the values of the signals in a sequence; see ``zip(_:file:line:column:)``.
///
/// - Parameters:
///   - signals: Iterated once, when this function is called.
/// - Returns: A signal of arrays in the order of the signals.
@_disfavoredOverload
public func zip<Value: Sendable, Failure: Error>(
  _ signals: some Sequence<Signal<Value, Failure>>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<[Value], Failure> {
  zip(Array(signals), file: file, line: line, column: column)
}

/// Groups the values of five signals; see `zip(_:_:)`.
public func zip<A, B, C, D, E, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D, E), Failure> {
  Signal<(A, B, C, D, E), Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d, e]),
    argument: .none
  ) { combine(.zipped, a, b, c, d, e, into: $0) { ($0, $1, $2, $3, $4) } }
}

/// Groups the values of six signals; see `zip(_:_:)`.
public func zip<A, B, C, D, E, F, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  _ f: Signal<F, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C, D, E, F), Failure> {
  Signal<(A, B, C, D, E, F), Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d, e, f]),
    argument: .none
  ) { combine(.zipped, a, b, c, d, e, f, into: $0) { ($0, $1, $2, $3, $4, $5) } }
}
