extension LazyList: Sequence {
  /// Goes through a list, and lets go of what it has passed.
  public struct Iterator: IteratorProtocol, Sendable {
    private var cell: ListCell<Element>

    init(_ cell: ListCell<Element>) { self.cell = cell }

    /// Evaluates and returns the next element; nil at the end.
    public mutating func next() -> Element? {
      guard let node = cell.node else { return nil }
      cell = node.tail
      return node.head.value
    }
  }

  /// An iterator that begins with the first element.
  public func makeIterator() -> Iterator { Iterator(cell) }
}

extension LazyList: ExpressibleByArrayLiteral {
  /// A list of these elements.
  public init(arrayLiteral elements: Element...) { self = elements.lazyList }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// A list of the elements, taken out of the sequence as they are asked for.
  ///
  /// The list has the sequence as it is now: changes made to a collection later do not show. Of a
  /// dictionary the elements are pairs of key and value. A ``LazyList`` gives itself.
  public var lazyList: LazyList<Element> {
    if let list = self as? LazyList<Element> { return list }
    let iterator = StageState(makeIterator())
    return LazyList(.taking { iterator.value.next() })
  }
}

extension Sequence where Element: Sendable {
  /// A list of the elements, taken out of the sequence at once: it cannot go to other threads itself.
  ///
  /// An endless sequence never returns from here.
  public var lazyList: LazyList<Element> { Array(self).lazyList }
}

extension ListCell {
  /// What a closure still gives.
  ///
  /// It is not shared: each cell makes the next, and is evaluated once, so that it is used by one thread at a
  /// time.
  static func taking(_ next: @escaping @Sendable () -> Element?) -> ListCell {
    ListCell {
      guard let element = next() else { return .end }
      return .node(.value(element), .taking(next))
    }
  }
}
