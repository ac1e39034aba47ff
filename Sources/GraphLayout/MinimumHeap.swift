/// A priority queue that returns the element with the least key first.
///
/// Elements with equal keys come out in the order of their values, so the result never depends on
/// the order of insertion. Both operations take logarithmic time.
struct MinimumHeap: Sendable {
  /// A value with its key.
  struct Element: Sendable {
    /// The key by which the queue is ordered.
    var key: Int
    /// The value, by which elements with equal keys are ordered.
    var value: Int

    /// Whether the element comes out before another.
    @inline(__always)
    func precedes(_ other: Element) -> Bool {
      key < other.key || (key == other.key && value < other.value)
    }
  }

  private var elements: [Element] = []

  /// Creates an empty queue.
  init() {}

  /// The element that comes out next.
  var first: Element? { elements.first }

  /// Adds a value.
  mutating func insert(_ value: Int, key: Int) {
    let element = Element(key: key, value: value)
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard element.precedes(elements[parent]) else { break }
      elements[child] = elements[parent]
      child = parent
    }
    elements[child] = element
  }

  /// Removes the element with the least key from the queue.
  mutating func removeFirst() -> Element? {
    guard let result = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return result }
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1].precedes(elements[child]) { child += 1 }
      guard elements[child].precedes(last) else { break }
      elements[parent] = elements[child]
      parent = child
    }
    elements[parent] = last
    return result
  }
}
