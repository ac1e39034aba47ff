public import TraceFormat

/// Sends the latest values of two signals, the second of which cannot fail; see
/// `combineLatest(_:_:)`.
@inlinable @_disfavoredOverload
public func combineLatest<A, B, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Never>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B), Failure> {
  Signal<(A, B), Failure>(
    gated: Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b]),
    argument: .none
  ) {
    CombineStage<LatestPair<A, B>, Failure>.start(
      { a.attach($0) },
      { b.attachPromoted(to: $0) },
      $0
    )
  }
}

/// Sends the results that a closure makes from the latest values of two signals, the second of
/// which cannot fail; see ``combineLatest(_:file:line:column:transform:)``.
@inlinable @_disfavoredOverload
public func combineLatest<A, B, Output: Sendable, Failure>(
  _ a: Signal<A, Failure>,
  _ b: Signal<B, Never>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    gated: Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b])
  ) { down in
    CombineStage<LatestPair<A, B>, Failure>.start(
      { a.attach($0) },
      { b.attachPromoted(to: $0) },
      down.with { [next = down.next] in next(transform($0, $1)) }
    )
  }
}

/// Sends the latest values of two signals, the first of which cannot fail; see
/// `combineLatest(_:_:)`.
@inlinable @_disfavoredOverload
public func combineLatest<A, B, Failure>(
  _ a: Signal<A, Never>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<(A, B), Failure> {
  Signal<(A, B), Failure>(
    gated: Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b]),
    argument: .none
  ) {
    CombineStage<LatestPair<A, B>, Failure>.start(
      { a.attachPromoted(to: $0) },
      { b.attach($0) },
      $0
    )
  }
}

/// Sends the results that a closure makes from the latest values of two signals, the first of which
/// cannot fail; see ``combineLatest(_:file:line:column:transform:)``.
@inlinable @_disfavoredOverload
public func combineLatest<A, B, Output: Sendable, Failure>(
  _ a: Signal<A, Never>,
  _ b: Signal<B, Failure>,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  transform: @escaping @Sendable (A, B) -> Output
) -> Signal<Output, Failure> {
  Signal<Output, Failure>(
    gated: Site("combineLatest", file, line, column, [.passes, .waitsForAll, .partners]),
    .many([a, b])
  ) { down in
    CombineStage<LatestPair<A, B>, Failure>.start(
      { a.attachPromoted(to: $0) },
      { b.attach($0) },
      down.with { [next = down.next] in next(transform($0, $1)) }
    )
  }
}

extension Signal {
  /// Sends the latest values of this signal and another, which cannot fail; see
  /// `combineLatest(_:_:)`.
  @inlinable @_disfavoredOverload
  public func combineLatest<Other: Sendable>(
    with other: Signal<Other, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    Reactive.combineLatest(self, other, file: file, line: line, column: column)
  }
}

extension Signal where Failure == Never {
  /// Sends the latest values of this signal and another, which may fail; see
  /// `combineLatest(_:_:)`.
  @inlinable @_disfavoredOverload
  public func combineLatest<Other: Sendable, OtherFailure: Error>(
    with other: Signal<Other, OtherFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), OtherFailure> {
    Reactive.combineLatest(self, other, file: file, line: line, column: column)
  }
}
