extension LazyList: Sequence {
  /// Iterates over a list, and releases the elements that it has passed.
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
  /// A list of the elements, taken from the sequence on demand.
  ///
  /// The list contains the sequence as it is at this moment: later changes to a collection have no
  /// effect. The elements of a dictionary are pairs of key and value. A ``LazyList`` returns
  /// itself.
  public var lazyList: LazyList<Element> {
    if let list = self as? LazyList<Element> { return list }
    let iterator = StageState(makeIterator())
    return LazyList(.taking { iterator.value.next() })
  }
}

extension Sequence where Element: Sendable {
  /// A list of the elements, taken from the sequence at once, because the sequence cannot be sent
  /// to other threads.
  ///
  /// With an endless sequence this never returns.
  public var lazyList: LazyList<Element> { Array(self).lazyList }
}

extension ListCell {
  /// The elements that a closure returns, until it returns nil.
  ///
  /// Each cell, which is a position in the list, makes the next one and is evaluated once. So only
  /// one thread at a time uses the closure.
  static func taking(_ next: @escaping @Sendable () -> Element?) -> ListCell {
    ListCell {
      guard let element = next() else { return .end }
      return .node(.value(element), .taking(next))
    }
  }
}
