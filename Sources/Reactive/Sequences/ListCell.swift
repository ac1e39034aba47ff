import CReactiveTraceShims

/// An element of a list and the rest after it.
struct ListNode<Element: Sendable>: Sendable {
  let head: ListHead<Element>
  let tail: ListCell<Element>
}

/// The result of one step of an evaluation.
enum ListStep<Element: Sendable>: Sendable {
  /// There is no element left.
  case end
  case node(ListHead<Element>, ListCell<Element>)
  /// The list continues with the cell of another list.
  case continueWith(ListCell<Element>)
  /// The next step, which is the closure, needs the result of another evaluation, such as that of a
  /// cell of another list.
  case after(SteppedEvaluation, @Sendable () -> ListStep<Element>)
}

/// A position in a list: not evaluated yet, the end, or an element and its successors.
///
/// The cells of a derived list refer to those of the original, so that nothing is evaluated twice.
///
/// `@unchecked Sendable`: `content` is written only by the evaluating thread, until the evaluation
/// is done, and later by the thread that releases the last reference.
final class ListCell<Element: Sendable>: SteppedEvaluation, @unchecked Sendable {
  private enum Content: Sendable {
    case step(@Sendable () -> ListStep<Element>)
    case after(SteppedEvaluation, @Sendable () -> ListStep<Element>)
    case node(ListNode<Element>)
    case end
  }

  private var content: Content

  /// A cell whose steps are evaluated on demand.
  init(_ step: @escaping @Sendable () -> ListStep<Element>) {
    content = .step(step)
    super.init(isDone: false)
  }

  /// A cell whose first step needs another cell.
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

  // Releases the following cells in a loop, because releasing a long list recursively could
  // overflow the stack. The same is true of the closures of lists that are derived from each other,
  // which are released on another stack if this one is deep.
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

  /// The element at this position and its successors, evaluated now if necessary; nil at the end.
  var node: ListNode<Element>? {
    if !isDone { evaluate() }
    return known
  }

  /// The same as ``node``, but evaluates nothing: it is also nil if this cell has not been
  /// evaluated.
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
      case .continueWith(let cell):
        content = .after(cell) { cell.known.map { .node($0.head, $0.tail) } ?? .end }
      case .after(let cell, let next): content = .after(cell, next)
      }
    }
  }
}
