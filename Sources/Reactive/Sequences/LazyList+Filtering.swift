extension LazyList {
  /// The elements for which a test is true.
  ///
  /// ```
  /// list     1 2 3 4
  /// filter     2   4   for even
  /// ```
  ///
  /// - Parameter isIncluded: Runs once per element, in order: finding the next element that passes
  ///   evaluates the elements in between.
  /// - Returns: A list of the elements that pass.
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> LazyList {
    let cell = cell
    return derived { .filtering(cell, isIncluded) }
  }

  /// The results of a function for the elements, without those that are nil.
  ///
  /// - Parameter transform: Runs once per element, in order.
  /// - Returns: A list of the results that are not nil.
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Result?
  ) -> LazyList<Result> {
    let cell = cell
    return derived { .compacting(cell, transform) }
  }

  /// The elements that are not nil.
  public func skipNil<Wrapped: Sendable>() -> LazyList<Wrapped> where Element == Wrapped? {
    compactMap { $0 }
  }

  /// The first elements; evaluates nothing of this list after them.
  ///
  /// ```
  /// list      1 2 3 4
  /// take(2)   1 2
  /// ```
  ///
  /// - Parameter count: How many; must not be negative. If it is 0, nothing of this list is
  ///   evaluated.
  /// - Returns: A list that ends by itself.
  public func take(_ count: Int) -> LazyList {
    precondition(count >= 0, "take(\(count)): the count must be ≥ 0 (OperatorIndex, take)")
    return derived(.taking(count, of: cell))
  }

  /// The last elements; requesting one of them traverses the whole list.
  public func take(last count: Int) -> LazyList {
    precondition(count >= 0, "take(last: \(count)): the count must be ≥ 0 (OperatorIndex, take)")
    if count == 0 { return derived(ListCell()) }
    let cell = cell
    return derived { .last(count, of: cell) }
  }

  /// The elements before the first for which a test is false.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per element, up to the first for which it returns false.
  ///   - inclusive: Whether the first element for which the test is false belongs to the list.
  /// - Returns: A list that ends by itself.
  public func take(
    while isIncluded: @escaping @Sendable (Element) -> Bool,
    inclusive: Bool = false
  ) -> LazyList {
    derived(.taking(cell, while: isIncluded, inclusive))
  }

  /// All but the first elements; evaluates the skipped elements only if the length of this list
  /// depends on them, as after `filter`.
  ///
  /// ```
  /// list      1 2 3 4
  /// skip(2)       3 4
  /// ```
  public func skip(_ count: Int) -> LazyList {
    precondition(count >= 0, "skip(\(count)): the count must be ≥ 0 (OperatorIndex, skip)")
    let cell = cell
    return derived { .skipping(count, of: cell) }
  }

  /// All but the last elements; looks for the end of the list `count` positions ahead.
  public func skip(last count: Int) -> LazyList {
    precondition(count >= 0, "skip(last: \(count)): the count must be ≥ 0 (OperatorIndex, skip)")
    let cell = cell
    return derived { .ending(cell, before: .skipping(count, of: cell)) }
  }

  /// The elements from the first one for which a test is false to the end.
  public func skip(while isSkipped: @escaping @Sendable (Element) -> Bool) -> LazyList {
    let cell = cell
    return derived { .skipping(cell, while: isSkipped) }
  }

  /// Only the element at a position, without evaluating earlier elements; empty if there is none.
  public func element(at index: Int) -> LazyList {
    precondition(
      index >= 0,
      "element(at: \(index)): the index must be ≥ 0 (OperatorIndex, element)"
    )
    return skip(index).take(1)
  }
}

extension LazyList where Element: Equatable {
  /// The elements that are not equal to a given one.
  public func ignore(_ unwanted: Element) -> LazyList { filter { $0 != unwanted } }

  /// Leaves out elements that are equal to the previous one.
  ///
  /// ```
  /// list                   1 1 2 2 1
  /// distinctUntilChanged   1   2   1
  /// ```
  public func distinctUntilChanged() -> LazyList { distinctUntilChanged(by: ==) }
}

extension LazyList where Element: Hashable {
  /// Each element once; remembers all elements.
  public func distinct() -> LazyList { distinct { $0 } }
}

extension LazyList {
  /// Leaves out elements that are equivalent to the last one that was not left out.
  ///
  /// - Parameter areEquivalent: Runs once per element, except the first.
  /// - Returns: A list without these elements.
  public func distinctUntilChanged(
    by areEquivalent: @escaping @Sendable (_ previous: Element, _ next: Element) -> Bool
  ) -> LazyList {
    scanMap(into: Element?.none) { last, element -> Element? in
      if let last, areEquivalent(last, element) { return nil }
      last = .some(element)
      return .some(element)
    }
    .skipNil()
  }

  /// Each element whose key has not occurred before; remembers all keys.
  public func distinct<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Element) -> Key
  ) -> LazyList {
    scanMap(into: Set<Key>()) { seen, element -> Element? in
      seen.insert(key(element)).inserted ? .some(element) : nil
    }
    .skipNil()
  }
}

extension ListStep {
  static func filtering(
    _ source: ListCell<Element>,
    _ isIncluded: @escaping @Sendable (Element) -> Bool
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else { return .end }
      guard isIncluded(node.head.value) else { return .filtering(node.tail, isIncluded) }
      return .node(node.head, ListCell { [tail = node.tail] in .filtering(tail, isIncluded) })
    }
  }

  static func compacting<Source: Sendable>(
    _ source: ListCell<Source>,
    _ transform: @escaping @Sendable (Source) -> Element?
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else { return .end }
      guard let result = transform(node.head.value) else {
        return .compacting(node.tail, transform)
      }
      return .node(.value(result), ListCell { [tail = node.tail] in .compacting(tail, transform) })
    }
  }

  static func skipping(_ count: Int, of source: ListCell<Element>) -> ListStep {
    if count == 0 { return .continueWith(source) }
    return .after(source) { source.known.map { .skipping(count - 1, of: $0.tail) } ?? .end }
  }

  static func skipping(
    _ source: ListCell<Element>,
    while isSkipped: @escaping @Sendable (Element) -> Bool
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else { return .end }
      return isSkipped(node.head.value)
        ? .skipping(node.tail, while: isSkipped) : .continueWith(source)
    }
  }

  /// The elements of `source` until `ahead`, a later position in the same list, reaches the end.
  static func ending(_ source: ListCell<Element>, before ahead: ListStep) -> ListStep {
    let ahead = ListCell { ahead }
    return .after(ahead) {
      .after(source) {
        guard let node = source.known, let next = ahead.known else { return .end }
        return .node(
          node.head,
          ListCell { [tail = node.tail, next = next.tail] in
            .ending(tail, before: .continueWith(next))
          }
        )
      }
    }
  }

  static func last(_ count: Int, of source: ListCell<Element>) -> ListStep {
    let ahead = ListCell { .skipping(count, of: source) }
    return .after(ahead) {
      guard let next = ahead.known else { return .continueWith(source) }
      return .last(of: source, from: next.tail)
    }
  }

  /// Advances both positions until `ahead` reaches the end.
  private static func last(of source: ListCell<Element>, from ahead: ListCell<Element>) -> ListStep
  {
    .after(source) {
      guard let node = source.known else { return .end }
      return .after(ahead) { [tail = node.tail] in
        ahead.known.map { .last(of: tail, from: $0.tail) } ?? .continueWith(tail)
      }
    }
  }
}

extension ListCell {
  static func taking(_ count: Int, of source: ListCell) -> ListCell {
    if count == 0 { return ListCell() }
    return ListCell(after: source) {
      source.known.map { .node($0.head, .taking(count - 1, of: $0.tail)) } ?? .end
    }
  }

  static func taking(
    _ source: ListCell,
    while isIncluded: @escaping @Sendable (Element) -> Bool,
    _ inclusive: Bool
  ) -> ListCell {
    ListCell(after: source) {
      guard let node = source.known else { return .end }
      if isIncluded(node.head.value) {
        return .node(node.head, .taking(node.tail, while: isIncluded, inclusive))
      }
      return inclusive ? .node(node.head, ListCell()) : .end
    }
  }
}
