extension LazyList {
  /// The elements of this list, then those of another.
  ///
  /// ```
  /// a        1 2
  /// b            3 4
  /// concat   1 2 3 4
  /// ```
  public func concat(_ other: LazyList) -> LazyList {
    derived(.joining(cell, other.cell))
  }

  /// The same as `concat`.
  public func append(_ other: LazyList) -> LazyList { concat(other) }

  /// The elements of another list, then those of this one.
  public func prepend(_ other: LazyList) -> LazyList { derived(.joining(other.cell, cell)) }

  /// Some elements, then those of this list.
  public func startWith(_ elements: Element...) -> LazyList {
    derived(.joining(elements.lazyList.cell, cell))
  }

  /// The elements of this list, then some others.
  public func endWith(_ elements: Element...) -> LazyList {
    derived(.joining(cell, elements.lazyList.cell))
  }

  /// This list, or a list of one element if this one is empty.
  public func defaultIfEmpty(_ element: Element) -> LazyList {
    let cell = cell
    return derived {
      .after(cell) { cell.known == nil ? .node(.value(element), ListCell()) : .continueWith(cell) }
    }
  }

  /// The elements of this list repeated without an end; each element is evaluated once.
  ///
  /// Repeating an empty list gives an empty list.
  public func `repeat`() -> LazyList {
    let cell = cell
    return derived { .after(cell) { cell.known == nil ? .end : .repeating(cell, cell, nil) } }
  }

  /// The elements of this list, `count` times in all; each element is evaluated once.
  public func `repeat`(_ count: Int) -> LazyList {
    precondition(count >= 0, "repeat(\(count)): the count must be ≥ 0 (OperatorIndex, repeat)")
    if count == 0 { return derived(ListCell()) }
    let cell = cell
    return derived {
      .after(cell) { cell.known == nil ? .end : .repeating(cell, cell, count - 1) }
    }
  }

  /// The elements of the lists that a closure makes from each element, one list after another.
  ///
  /// ```
  /// list      1   2   3
  /// flatMap   1 1 2 2 3 3
  /// ```
  ///
  /// - Parameter transform: Runs once per element, after the elements of the previous lists.
  /// - Returns: A list of the elements of all lists.
  public func flatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Element) -> LazyList<Inner>
  ) -> LazyList<Inner> {
    let cell = cell
    return derived { .flattening(cell, transform) }
  }

  /// The elements of the sequences that a closure makes from each element, one sequence after
  /// another.
  public func flatMap<Inner: Sequence & Sendable>(
    _ transform: @escaping @Sendable (Element) -> Inner
  ) -> LazyList<Inner.Element> where Inner.Element: Sendable {
    flatMap { transform($0).lazyList }
  }

  /// The same as `flatMap`, which always puts the lists one after another.
  public func concatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Element) -> LazyList<Inner>
  ) -> LazyList<Inner> {
    flatMap(transform)
  }

  /// The elements of the lists, or other sequences, in this list, one after another.
  public func flatten() -> LazyList<Element.Element>
  where Element: Sequence, Element.Element: Sendable {
    flatMap { $0.lazyList }
  }

  /// The elements of the lists in this list, one list after another; same as `flatten`.
  public func concat<Inner: Sendable>() -> LazyList<Inner> where Element == LazyList<Inner> {
    flatMap { $0 }
  }

  /// A closure that ``bind(_:)`` calls with each element.
  ///
  /// It returns a list, or nil to end the result. If it sets `stop` to true, the result ends after
  /// the returned list.
  public typealias BindStep<Inner: Sendable> =
    (_ element: Element, _ stop: inout Bool) -> LazyList<Inner>?

  /// Makes a list from each element, with a closure that has state and can stop.
  ///
  /// This is the primitive of which `flatMap`, `take(while:)` and others are special cases.
  ///
  /// - Parameter makeBinding: Runs once, when the first element is requested, and makes the closure
  ///   that runs once per element, in order; so each list has its own copies of the variables that
  ///   `makeBinding` declares.
  /// - Returns: A list of the elements of all lists.
  public func bind<Inner: Sendable>(
    _ makeBinding: @escaping @Sendable () -> sending BindStep<Inner>
  ) -> LazyList<Inner> {
    let cell = cell
    return derived { .binding(cell, StageState(makeBinding())) }
  }

  /// Pairs the first elements, the second elements, and so on, up to the end of the shorter list.
  ///
  /// ```
  /// a     1    2    3
  /// b     a    b
  /// zip   (1a) (2b)
  /// ```
  ///
  /// Elements are evaluated when the pair is requested.
  public func zip<Other: Sendable>(with other: LazyList<Other>) -> LazyList<(Element, Other)> {
    derived(.pairing(cell, other.cell))
  }
}

/// Pairs the first elements of two lists, the second elements, and so on; see
/// ``LazyList/zip(with:)``.
///
/// - Returns: A list as long as the shorter one; it is eager if the first one is.
public func zip<A, B>(_ a: LazyList<A>, _ b: LazyList<B>) -> LazyList<(A, B)> { a.zip(with: b) }

/// Groups the first elements of three lists, the second elements, and so on.
///
/// - Returns: A list as long as the shortest one; it is eager if the first one is.
public func zip<A, B, C>(
  _ a: LazyList<A>,
  _ b: LazyList<B>,
  _ c: LazyList<C>
) -> LazyList<(A, B, C)> {
  a.zip(with: b).zip(with: c).map { ($0.0, $0.1, $1) }
}

extension ListStep {
  static func repeating(
    _ source: ListCell<Element>,
    _ all: ListCell<Element>,
    _ left: Int?
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else {
        return left == 0 ? .end : .repeating(all, all, left.map { $0 - 1 })
      }
      return .node(node.head, ListCell { [tail = node.tail] in .repeating(tail, all, left) })
    }
  }

  static func flattening<Source: Sendable>(
    _ source: ListCell<Source>,
    _ transform: @escaping @Sendable (Source) -> LazyList<Element>
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else { return .end }
      return .continuing(transform(node.head.value).cell) { [tail = node.tail] in
        .flattening(tail, transform)
      }
    }
  }

  /// The elements of `list`, then those of the step that `rest` returns.
  static func continuing(
    _ list: ListCell<Element>,
    _ rest: @escaping @Sendable () -> ListStep
  ) -> ListStep {
    .after(list) {
      guard let node = list.known else { return rest() }
      return .node(node.head, ListCell { [tail = node.tail] in .continuing(tail, rest) })
    }
  }

  /// The elements of the lists that a closure makes from the elements of `source`.
  ///
  /// Each cell, which is a position in the list, makes the next one and is evaluated once. So only
  /// one thread at a time uses the closure in `binding`.
  static func binding<Source: Sendable>(
    _ source: ListCell<Source>,
    _ binding: StageState<LazyList<Source>.BindStep<Element>>
  ) -> ListStep {
    .after(source) {
      guard let node = source.known else { return .end }
      var stop = false
      guard let inner = binding.value(node.head.value, &stop) else { return .end }
      if stop { return .continueWith(inner.cell) }
      return .continuing(inner.cell) { [tail = node.tail] in .binding(tail, binding) }
    }
  }
}

extension ListCell {
  static func joining(_ first: ListCell, _ second: ListCell) -> ListCell {
    ListCell(after: first) {
      first.known.map { .node($0.head, .joining($0.tail, second)) } ?? .continueWith(second)
    }
  }

  static func pairing<A: Sendable, B: Sendable>(
    _ first: ListCell<A>,
    _ second: ListCell<B>
  ) -> ListCell where Element == (A, B) {
    ListCell(after: first) {
      guard let one = first.known else { return .end }
      return .after(second) {
        guard let other = second.known else { return .end }
        return .node(
          .evaluating(from: one.head, and: other.head) { ($0, $1) },
          .pairing(one.tail, other.tail)
        )
      }
    }
  }
}
