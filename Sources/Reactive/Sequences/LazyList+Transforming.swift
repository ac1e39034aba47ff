extension LazyList {
  /// Applies a function to each element on demand.
  ///
  /// ```
  /// list   1 2 3
  /// map    a b c
  /// ```
  ///
  /// - Parameter transform: Runs once for each element that is requested; requesting a later
  ///   element does not run it for the earlier ones.
  /// - Returns: A list of the same length.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Result
  ) -> LazyList<Result> {
    derived(.mapping(cell, transform))
  }

  /// The value of a property of each element.
  @_disfavoredOverload
  public func map<Result: Sendable>(
    _ keyPath: any KeyPath<Element, Result> & Sendable
  ) -> LazyList<Result> {
    map { $0[keyPath: keyPath] }
  }

  /// The same value in place of each element.
  ///
  /// ```
  /// list      1 2 3
  /// map(to)   x x x
  /// ```
  ///
  /// - Parameters:
  ///   - replacement: The value; it is evaluated once.
  ///   - noClosure: Never passed: it prevents a trailing closure from being taken for
  ///     `replacement`.
  /// - Returns: A list of the same length.
  @_disfavoredOverload
  public func map<Result: Sendable>(
    to replacement: Result,
    noClosure: ((Never) -> Void)? = nil
  ) -> LazyList<Result> {
    derived(.replacing(cell, replacement))
  }

  /// A value in place of each nil.
  public func replaceNil<Wrapped: Sendable>(
    with replacement: Wrapped
  ) -> LazyList<Wrapped> where Element == Wrapped? {
    map { $0 ?? replacement }
  }

  /// Numbers the elements, from 0.
  public func enumerated() -> LazyList<(index: Int, value: Element)> {
    derived(.numbering(cell, from: 0))
  }

  /// Combines each element with the result so far into a list of the results.
  ///
  /// ```
  /// list         1 2 3
  /// scan(0, +)   1 3 6
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The result before the first element; it is not in the list.
  ///   - combine: Runs once per element, in order: requesting an element evaluates all elements
  ///     before it.
  /// - Returns: A list of the same length.
  public func scan<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> {
    scanMap(into: initial) { sum, element in
      sum = combine(sum, element)
      return sum
    }
  }

  /// Combines elements like ``scan(_:_:)``, with a result that is changed in place.
  public func scan<Result: Sendable>(
    into initial: Result,
    _ update: @escaping @Sendable (inout Result, Element) -> Void,
    noClosure: ((Never) -> Void)? = nil
  ) -> LazyList<Result> {
    scanMap(into: initial) { sum, element in
      update(&sum, element)
      return sum
    }
  }

  /// Transforms each element together with a state into an element of the new list and the next
  /// state.
  ///
  /// - Parameters:
  ///   - initial: The state before the first element.
  ///   - transform: Runs once per element, in order: requesting an element evaluates all elements
  ///     before it.
  /// - Returns: A list of the same length.
  public func scanMap<State: Sendable, Result: Sendable>(
    _ initial: State,
    _ transform: @escaping @Sendable (State, Element) -> (State, Result)
  ) -> LazyList<Result> {
    scanMap(into: initial) { state, element in
      let (next, result) = transform(state, element)
      state = next
      return result
    }
  }

  /// Transforms each element like ``scanMap(_:_:)``, with a state that is changed in place.
  public func scanMap<State: Sendable, Result: Sendable>(
    into initial: State,
    _ transform: @escaping @Sendable (inout State, Element) -> Result,
    noClosure: ((Never) -> Void)? = nil
  ) -> LazyList<Result> {
    derived(.scanning(cell, StageState(initial), transform))
  }

  /// Pairs each element with the previous one; there is no pair for the first element.
  ///
  /// ```
  /// list              1 2 3
  /// combinePrevious     (12) (23)
  /// ```
  public func combinePrevious() -> LazyList<(previous: Element, current: Element)> {
    let cell = cell
    return derived {
      .after(cell) { cell.known.map { .continueWith(.pairing($0.head, $0.tail)) } ?? .end }
    }
  }

  /// Pairs each element with the previous one, and the first element with a given value.
  public func combinePrevious(_ first: Element) -> LazyList<(previous: Element, current: Element)> {
    derived(.pairing(.value(first), cell))
  }
}

extension ListCell {
  static func mapping<Source: Sendable>(
    _ source: ListCell<Source>,
    _ transform: @escaping @Sendable (Source) -> Element
  ) -> ListCell {
    ListCell(after: source) {
      guard let node = source.known else { return .end }
      // The closure captures the head and not the node, which would keep the rest of the source
      // alive.
      return .node(.evaluating(from: node.head, transform), .mapping(node.tail, transform))
    }
  }

  static func replacing<Source: Sendable>(
    _ source: ListCell<Source>,
    _ replacement: Element
  ) -> ListCell {
    ListCell(after: source) {
      source.known.map { .node(.value(replacement), .replacing($0.tail, replacement)) } ?? .end
    }
  }

  static func numbering<Source: Sendable>(
    _ source: ListCell<Source>,
    from index: Int
  ) -> ListCell where Element == (index: Int, value: Source) {
    ListCell(after: source) {
      guard let node = source.known else { return .end }
      return .node(
        .evaluating(from: node.head) { (index, $0) },
        .numbering(node.tail, from: index + 1)
      )
    }
  }

  static func scanning<Source: Sendable, State: Sendable>(
    _ source: ListCell<Source>,
    _ state: StageState<State>,
    _ transform: @escaping @Sendable (inout State, Source) -> Element
  ) -> ListCell {
    ListCell(after: source) {
      guard let node = source.known else { return .end }
      // The result is evaluated at once, because it depends on the previous one, and postponed
      // results would depend on each other to any depth.
      //
      // The cells share the state, which is therefore changed in place: each cell is evaluated once,
      // after the previous one.
      let result = transform(&state.value, node.head.value)
      return .node(.value(result), .scanning(node.tail, state, transform))
    }
  }

  static func pairing<Source: Sendable>(
    _ previous: ListHead<Source>,
    _ source: ListCell<Source>
  ) -> ListCell where Element == (previous: Source, current: Source) {
    ListCell(after: source) {
      guard let node = source.known else { return .end }
      return .node(
        .evaluating(from: previous, and: node.head) { ($0, $1) },
        .pairing(node.head, node.tail)
      )
    }
  }
}
