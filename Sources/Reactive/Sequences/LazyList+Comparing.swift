extension LazyList: Equatable where Element: Equatable {
  /// Whether both have the same elements; evaluates them up to the first difference.
  ///
  /// Two endless lists without a difference are compared for ever, unless they are the same list.
  public static func == (left: LazyList, right: LazyList) -> Bool {
    var (first, second) = (left.cell, right.cell)
    while first !== second {
      switch (first.node, second.node) {
      case (nil, nil): return true
      case (let one?, let other?) where one.head.value == other.head.value:
        (first, second) = (one.tail, other.tail)
      default: return false
      }
    }
    return true
  }
}

extension LazyList: Hashable where Element: Hashable {
  /// Hashes all elements, which evaluates them.
  public func hash(into hasher: inout Hasher) {
    var count = 0
    for element in self {
      hasher.combine(element)
      count += 1
    }
    hasher.combine(count)
  }
}

extension LazyList: Encodable where Element: Encodable {
  /// Writes the elements as an array, which evaluates them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension LazyList: Decodable where Element: Decodable {
  /// Reads an array.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    self = elements.lazyList
  }
}

extension LazyList: CustomStringConvertible {
  /// The elements as text, `(1, 2, …)`, where `…` stands for those that are not evaluated yet.
  ///
  /// Evaluates nothing, and shows at most 100 elements.
  public var description: String {
    var shown: [String] = []
    var next = cell
    while let node = next.known, shown.count < 100 {
      shown.append(node.head.known.map { "\($0)" } ?? "…")
      next = node.tail
    }
    if !next.isKnownEnd { shown.append("…") }
    return "(" + shown.joined(separator: ", ") + ")"
  }
}
