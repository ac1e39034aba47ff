/// A first-in, first-out queue, in which `pop` advances an index and only rarely moves elements.
@usableFromInline
struct Fifo<Element> {
  @usableFromInline var items: ContiguousArray<Element?> = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { head == items.count }
  @inlinable var count: Int { items.count - head }
  var first: Element? { isEmpty ? nil : items[head] }

  @inlinable
  mutating func push(_ one: Element) { items.append(one) }

  @inlinable
  mutating func pop() -> Element? {
    if isEmpty { return nil }
    let one = items[head]
    items[head] = nil
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 32, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
    return one
  }

  /// Removes the first `limit` elements, or all if there are fewer.
  mutating func pop(atMost limit: Int) -> [Element] {
    var some: [Element] = []
    some.reserveCapacity(Swift.min(limit, count))
    while some.count < limit, let one = pop() { some.append(one) }
    return some
  }
}

extension Fifo: Sendable where Element: Sendable {}
