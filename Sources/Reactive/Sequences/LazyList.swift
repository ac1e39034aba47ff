/// A list whose elements are evaluated on demand, each at most once.
///
/// ```swift
/// let names = files.lazyList.map { load($0).name }   // nothing is loaded
/// names.head                                         // loads the first file
/// names.head                                         // does not load it again
/// ```
///
/// A list is pull-driven where a ``Signal`` is push-driven. It has those operators of a signal that
/// do not need time, under the same names. A list is a value: its copies, and lists that are
/// derived from it, share the evaluated elements on all threads. Side effects of a closure happen
/// once for each element, however many lists and threads request it.
///
/// The thread that requests an element evaluates it. If another thread is already evaluating the
/// element, the requesting thread waits for that thread. A closure must not request the element
/// that it is evaluating. If evaluation takes long, use `signal(on:)` to evaluate the elements on a
/// scheduler.
///
/// By default elements are evaluated one by one, on demand, and a list may be endless. The lists
/// derived from ``eager`` are evaluated as a whole when they are made.
///
/// A list keeps all its evaluated elements in memory: if the first elements are no longer needed,
/// hold the ``tail`` instead of the list. A loop over a list does not itself retain the elements
/// that it has passed.
public struct LazyList<Element: Sendable>: Sendable {
  let cell: ListCell<Element>
  /// Whether lists that are derived from this one are evaluated as a whole when they are made.
  public let isEager: Bool

  init(_ cell: ListCell<Element>, isEager: Bool = false) {
    self.init(known: cell, isEager: isEager)
    if isEager { evaluate() }
  }

  /// Creates a list that begins with a cell, without evaluating anything, even if it is eager.
  private init(known cell: ListCell<Element>, isEager: Bool) {
    self.cell = cell
    self.isEager = isEager
  }

  /// A list of an element and its successors, each evaluated on demand.
  ///
  /// ```swift
  /// func numbers(from first: Int) -> LazyList<Int> {
  ///   LazyList(head: first, tail: numbers(from: first + 1))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - head: The first element. It is evaluated at most once, and after elements of the tail if
  ///     those are requested first.
  ///   - tail: The other elements. It is evaluated at most once, when one of them is requested.
  public init(
    head: @autoclosure @escaping @Sendable () -> Element,
    tail: @autoclosure @escaping @Sendable () -> LazyList = .empty()
  ) {
    self.init(ListCell(.evaluating(head), ListCell { .continueWith(tail().cell) }))
  }

  /// A list without elements.
  public static func empty() -> LazyList { LazyList(ListCell()) }

  /// A list of one element.
  public static func just(_ element: Element) -> LazyList {
    LazyList(ListCell(.value(element), ListCell()))
  }

  /// The list that a closure returns; the closure runs at most once, when an element is requested.
  ///
  /// - Parameter make: Returns the list. It may refer to the very list that is made here: such a
  ///   list is evaluated without recursion, however long it is. But such a list keeps itself alive
  ///   until it has been evaluated to its end; an endless list does so for ever.
  /// - Returns: A list of the same elements.
  public static func deferred(_ make: @escaping @Sendable () -> LazyList) -> LazyList {
    LazyList(ListCell { .continueWith(make().cell) })
  }

  /// The first element; nil if there is none.
  public var head: Element? { cell.node?.head.value }

  /// The elements after the first; nil if there is no first element.
  ///
  /// Evaluates neither the first element nor any of its successors.
  public var tail: LazyList? { cell.node.map { LazyList(known: $0.tail, isEager: isEager) } }

  /// Whether there is no element; evaluates elements only if the answer depends on them, as after
  /// `filter`.
  public var isEmpty: Bool { cell.node == nil }

  /// The same list, evaluated as a whole now; lists derived from it are evaluated as a whole, too.
  ///
  /// With an endless list this never returns.
  public var eager: LazyList { LazyList(cell, isEager: true) }

  /// The same list; the elements of lists derived from it are evaluated on demand, as by default.
  public var lazy: LazyList { LazyList(cell) }

  private func evaluate() {
    var next = cell
    while let node = next.node {
      _ = node.head.value
      next = node.tail
    }
  }
}

extension LazyList {
  /// A list of other elements; it is eager if this one is.
  func derived<Other: Sendable>(_ cell: ListCell<Other>) -> LazyList<Other> {
    LazyList<Other>(cell, isEager: isEager)
  }

  /// A list of other elements; `step` is the first step of their evaluation.
  func derived<Other: Sendable>(
    _ step: @escaping @Sendable () -> ListStep<Other>
  ) -> LazyList<Other> {
    derived(ListCell(step))
  }
}
