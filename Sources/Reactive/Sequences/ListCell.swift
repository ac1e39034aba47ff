import CReactiveTraceShims

/// What there is of a list from one element on: that element and the rest.
struct ListNode<Element: Sendable>: Sendable {
  let head: ListHead<Element>
  let tail: ListCell<Element>
}

/// What one step of an evaluation comes to.
enum ListStep<Element: Sendable>: Sendable {
  /// There is no element left.
  case end
  case node(ListHead<Element>, ListCell<Element>)
  /// The list goes on as another does.
  case same(ListCell<Element>)
  /// The next step needs to know what a cell of another list, of any type, comes to.
  case after(SteppedEvaluation, @Sendable () -> ListStep<Element>)
}

/// A place in a list: not evaluated yet, the end, or an element and what follows.
///
/// The cells of a list that is derived from another refer to that one's, so that nothing is evaluated
/// twice.
///
/// Unchecked for `content`, which only who evaluates it writes, before it is done; and whoever has the last
/// reference.
final class ListCell<Element: Sendable>: SteppedEvaluation, @unchecked Sendable {
  private enum Content: Sendable {
    case step(@Sendable () -> ListStep<Element>)
    case after(SteppedEvaluation, @Sendable () -> ListStep<Element>)
    case node(ListNode<Element>)
    case end
  }

  private var content: Content

  /// A cell whose steps are taken when somebody asks for it.
  init(_ step: @escaping @Sendable () -> ListStep<Element>) {
    content = .step(step)
    super.init(isDone: false)
  }

  /// The same, where the first step needs another cell.
  init(after cell: SteppedEvaluation, _ step: @escaping @Sendable () -> ListStep<Element>) {
    content = .after(cell, step)
    super.init(isDone: false)
  }

  init(_ head: ListHead<Element>, _ tail: ListCell) {
    content = .node(ListNode(head: head, tail: tail))
    super.init(isDone: true)
  }

  /// The end of a list.
  init() {
    content = .end
    super.init(isDone: true)
  }

  // One after another: a long list must not be released recursively, and neither must what stands in
  // closures of lists that are derived from each other.
  deinit {
    if rxt_releases_deep() { return releaseElsewhere(&content, leaving: .end) }
    var next = takeTail()
    while next != nil, isKnownUniquelyReferenced(&next) { next = next?.takeTail() }
  }

  private func takeTail() -> ListCell? {
    guard case .node(let node) = content else { return nil }
    content = .end
    return node.tail
  }

  /// The element here and what follows, evaluated now if it was not before; nil at the end.
  var node: ListNode<Element>? {
    if !isDone { evaluate() }
    return known
  }

  /// The same without an evaluation: nil also where there was none.
  var known: ListNode<Element>? {
    guard isDone, case .node(let node) = content else { return nil }
    return node
  }

  var isKnownEnd: Bool { isDone && known == nil }

  override func advance() -> SteppedEvaluation? {
    while true {
      let step: ListStep<Element>
      switch content {
      case .step(let next): step = next()
      case .after(let cell, let next):
        if !cell.isDone { return cell }
        step = next()
      case .node, .end: return nil
      }
      switch step {
      case .end: content = .end
      case .node(let head, let tail): content = .node(ListNode(head: head, tail: tail))
      case .same(let cell):
        content = .after(cell) { cell.known.map { .node($0.head, $0.tail) } ?? .end }
      case .after(let cell, let next): content = .after(cell, next)
      }
    }
  }
}
