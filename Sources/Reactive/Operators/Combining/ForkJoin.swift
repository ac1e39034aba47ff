import TraceFormat

/// Sends the last values of a list of signals when all have completed.
///
/// ```
/// a          -1---2-|
/// b          ---3-----4-|
/// forkJoin   -----------(A|)   A: [2, 4]
/// ```
///
/// If a signal completes without a value, or if the list is empty, the result completes at once
/// without a value. A failure of any signal is forwarded at once.
///
/// - Parameters:
///   - signals: Subscribed to in this order.
/// - Returns: A signal that sends one array, in the order of the signals, and completes.
/// - Complexity: Retains one value of each signal.
public func forkJoin<Value: Sendable, Failure: Error>(
  _ signals: [Signal<Value, Failure>],
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<[Value], Failure> {
  Signal<[Value], Failure>(
    Site("forkJoin", file, line, column, [.keepsLatest, .waitsForAll, .partners]),
    .many(signals),
    argument: .list
  ) { down in combine(.last, signals, into: down) }
}

/// Sends the last values of two signals when both have completed; see
/// ``forkJoin(_:file:line:column:)``.
public func forkJoin<A, B, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B), Failure> {
  Signal<(A, B), Failure>(
    Site("forkJoin", file, line, column, [.keepsLatest, .waitsForAll, .partners]),
    .many([a, b]),
    argument: .none
  ) {
    combine(.last, a, b, into: $0) { ($0, $1) }
  }
}

/// Sends the last values of three signals when all have completed; see
/// ``forkJoin(_:file:line:column:)``.
public func forkJoin<A, B, C, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B, C), Failure> {
  Signal<(A, B, C), Failure>(
    Site("forkJoin", file, line, column, [.keepsLatest, .waitsForAll, .partners]),
    .many([a, b, c]),
    argument: .none
  ) { combine(.last, a, b, c, into: $0) { ($0, $1, $2) } }
}

/// Sends the result that a closure makes from the last values of several signals when all have
/// completed; see ``forkJoin(_:file:line:column:)``.
///
/// - Parameters:
///   - signals: Any number of signals, subscribed to in this order.
///   - transform: Runs at most once per subscription.
/// - Returns: A signal that sends the result and completes.
public func forkJoin<each Value: Sendable, Output: Sendable, Failure: Error>(
  _ signals: repeat Signal<each Value, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("forkJoin", file, line, column, [.keepsLatest, .waitsForAll, .partners]),
    upstreams(repeat each signals)
  ) { down in combine(.last, repeat each signals, into: down, transform) }
}
