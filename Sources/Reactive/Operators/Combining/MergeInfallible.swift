public import TraceFormat

extension Signal {
  /// Forwards the values of this signal and of others, which cannot fail; see `merge(_:)`.
  @inlinable @_disfavoredOverload
  public func merge(
    with others: Signal<Value, Never>...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Reactive.merging(
      Site("merge", file, line, column, [.merging, .passes, .partners]),
      [self] + others
    ) { merging in
      merging.subscribe(to: self)
      merging.subscribe(toInfallible: others)
    }
  }
}

extension Signal where Failure == Never {
  /// Forwards the values of this signal and of others, which may fail; see `merge(_:)`.
  @inlinable @_disfavoredOverload
  public func merge<OtherFailure: Error>(
    with others: Signal<Value, OtherFailure>...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, OtherFailure> {
    Reactive.merging(
      Site("merge", file, line, column, [.merging, .passes, .partners]),
      [self] + others
    ) { merging in
      merging.subscribe(toInfallible: self)
      merging.subscribe(to: others)
    }
  }
}

/// Forwards the values of several signals, only the first of which can fail; see `Signal.merge`.
@inlinable @_disfavoredOverload
public func merge<Value: Sendable, Failure: Error>(
  _ first: Signal<Value, Failure>,
  _ others: Signal<Value, Never>...,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<Value, Failure> {
  merging(Site("merge", file, line, column, [.merging, .passes, .partners]), [first] + others) {
    merging in
    merging.subscribe(to: first)
    merging.subscribe(toInfallible: others)
  }
}

/// Forwards the values of several signals, the first of which cannot fail; see `Signal.merge`.
@inlinable @_disfavoredOverload
public func merge<Value: Sendable, Failure: Error>(
  _ first: Signal<Value, Never>,
  _ others: Signal<Value, Failure>...,
  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
) -> Signal<Value, Failure> {
  merging(Site("merge", file, line, column, [.merging, .passes, .partners]), [first] + others) {
    merging in
    merging.subscribe(toInfallible: first)
    merging.subscribe(to: others)
  }
}

/// Makes a signal that merges the signals that `start` subscribes to.
@inlinable
func merging<Value: Sendable, Failure: Error>(
  _ site: Site,
  _ upstreams: [any AnySignal],
  _ start: @escaping @Sendable (Merging<Value, Failure>) -> Void
) -> Signal<Value, Failure> {
  Signal<Value, Failure>(gated: site, .many(upstreams), argument: .none) { down in
    let merging = Merging(down)
    start(merging)
    merging.ended(.completed)
  }
}

extension Merging {
  /// Subscribes to signals in order; stops when the subscription to the merge has ended.
  @inlinable
  func subscribe(to signals: [Signal<Value, Failure>]) {
    for signal in signals where scope.isActive { subscribe(to: signal) }
  }

  /// Subscribes to signals that cannot fail, in order; stops when the subscription to the merge has
  /// ended.
  @inlinable
  func subscribe(toInfallible signals: [Signal<Value, Never>]) {
    for signal in signals where scope.isActive { subscribe(toInfallible: signal) }
  }
}
