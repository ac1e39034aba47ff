import TraceFormat

// These functions take a fixed number of signals to save compile time; see
// CombineLatestTransform.swift.

/// Sends the results that a closure makes from the values of two signals; see
/// ``zip(_:file:line:column:transform:)``.
public func zip<A, B, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b])
  ) { combine(.zipped, a, b, into: $0, transform) }
}

/// Sends the results that a closure makes from the values of three signals; see
/// ``zip(_:file:line:column:transform:)``.
public func zip<A, B, C, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c])
  ) { combine(.zipped, a, b, c, into: $0, transform) }
}

/// Sends the results that a closure makes from the values of four signals; see
/// ``zip(_:file:line:column:transform:)``.
public func zip<A, B, C, D, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C, D) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d])
  ) { combine(.zipped, a, b, c, d, into: $0, transform) }
}

/// Sends the results that a closure makes from the values of five signals; see
/// ``zip(_:file:line:column:transform:)``.
public func zip<A, B, C, D, E, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C, D, E) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d, e])
  ) { combine(.zipped, a, b, c, d, e, into: $0, transform) }
}

/// Sends the results that a closure makes from the values of six signals; see
/// ``zip(_:file:line:column:transform:)``.
public func zip<A, B, C, D, E, F, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  _ f: Signal<F, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C, D, E, F) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("zip", file, line, column, [.pairs, .waitsForAll, .partners]),
    .many([a, b, c, d, e, f])
  ) { combine(.zipped, a, b, c, d, e, f, into: $0, transform) }
}
