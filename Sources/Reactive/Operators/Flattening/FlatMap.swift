public import TraceFormat

extension Signal {
  /// Adds `ofNothing` to the traits of an operator that makes a signal from each value, if the
  /// values are of type `Void`.
  @inlinable static func flatteningTraits(_ traits: SiteTraits) -> SiteTraits {
    Value.self == Void.self ? traits.union(.ofNothing) : traits
  }

  /// Turns each value into a signal and forwards the values of all these signals as they arrive.
  ///
  /// ```
  /// source      -1---2----|
  /// flatMap     --a-a-b-a-b-|   of  -a-a---a-|  and  -b---b-|
  /// ```
  ///
  /// The result completes when the source and all inner signals have completed, and fails as soon
  /// as one of them fails. An inner signal is subscribed to while no event is being delivered, so
  /// that a subscriber can end it even if it is endless (event contract, rule 10). An inner signal
  /// that is itself a `flatMap`, or a `concat` that ends with one, runs as part of the outer
  /// `flatMap`: a recursively defined signal uses no more stack and memory than one level. Mutual
  /// recursion, such as a `flatMap` of a `concatMap` of a `flatMap`, uses stack and memory for each
  /// level.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that completes when the source and all inner signals have completed.
  /// - Complexity: Retains every inner signal that has not ended. Memory grows without bound if the
  ///   source keeps sending values and the inner signals do not end.
  @inlinable
  public func flatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    joining(Site("flatMap", file, line, column, Self.flatteningTraits([.merging, .flattens]))) {
      [self] merging in
      attach(
        Sink(merging.part(), merging.trace, merging.outlet) { merging.subscribe(to: transform($0)) }
      )
    }
  }

  /// Turns each value into a signal that cannot fail; see ``flatMap(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      gated: Site("flatMap", file, line, column, Self.flatteningTraits([.merging, .flattens])),
      .one(self)
    ) {
      [self] down in
      let merging = Merging(down)
      attach(
        Sink(merging.part(), down.trace, merging.outlet) {
          merging.subscribe(toInfallible: transform($0))
        }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns each value into a signal that may fail; see ``flatMap(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMap<Inner: Sendable, InnerFailure: Error>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> {
    joining(Site("flatMap", file, line, column, Self.flatteningTraits([.merging, .flattens]))) {
      [self] merging in
      attach(
        Sink(merging.infalliblePart(), merging.trace, merging.outlet) {
          merging.subscribe(to: transform($0))
        }
      )
    }
  }
}

extension Signal {
  /// Makes the signal that `flatMap` returns.
  ///
  /// A ``Merging`` is one subscription to a merging operator. The signal starts in a `Merging` of
  /// its own or, if a merging operator subscribes to it, in the `Merging` of that operator.
  @inlinable
  func joining<Inner: Sendable, InnerFailure: Error>(
    _ site: Site,
    _ start: @escaping @Sendable (Merging<Inner, InnerFailure>) -> Void
  ) -> Signal<Inner, InnerFailure> {
    let joining = Joining(start)
    return Signal<Inner, InnerFailure>(gated: site, .one(self), argument: .joining(joining)) {
      down in
      joining.start(Merging(down))
    }
  }
}
