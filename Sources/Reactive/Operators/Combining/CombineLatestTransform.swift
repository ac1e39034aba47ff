import TraceFormat

// `combineLatest(_:file:line:column:transform:)` takes any number of signals, but the compiler
// needs seconds to type-check a call with five of them. Calls of the functions below, which take a
// fixed number of signals, are type-checked quickly.

/// Sends the results that a closure makes from the latest values of two signals; see
/// ``combineLatest(_:file:line:column:transform:)``.
public func combineLatest<A, B, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b])
  ) { combine(.latest, a, b, into: $0, transform) }
}

/// Sends the results that a closure makes from the latest values of three signals; see
/// ``combineLatest(_:file:line:column:transform:)``.
public func combineLatest<A, B, C, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c])
  ) { combine(.latest, a, b, c, into: $0, transform) }
}

/// Sends the results that a closure makes from the latest values of four signals; see
/// ``combineLatest(_:file:line:column:transform:)``.
public func combineLatest<A, B, C, D, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C, D) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d])
  ) { combine(.latest, a, b, c, d, into: $0, transform) }
}

/// Sends the results that a closure makes from the latest values of five signals; see
/// ``combineLatest(_:file:line:column:transform:)``.
public func combineLatest<A, B, C, D, E, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Failure>,
  _ c: Signal<C, Failure>,
  _ d: Signal<D, Failure>,
  _ e: Signal<E, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B, C, D, E) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d, e])
  ) { combine(.latest, a, b, c, d, e, into: $0, transform) }
}

/// Sends the results that a closure makes from the latest values of six signals; see
/// ``combineLatest(_:file:line:column:transform:)``.
public func combineLatest<A, B, C, D, E, F, Output: Sendable, Failure>(
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
    Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b, c, d, e, f])
  ) { combine(.latest, a, b, c, d, e, f, into: $0, transform) }
}
