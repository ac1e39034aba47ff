/// A list whose elements are evaluated when somebody asks for them, each at most once.
///
/// ```swift
/// let names = files.lazyList.map { load($0).name }   // nothing is loaded
/// names.head                                         // loads the first file
/// names.head                                         // does not load it again
/// ```
///
/// A list is pull-driven where a ``Signal`` is push-driven, and has the operators that do not need time
/// under the same names. It is a value: lists that are derived from it, and copies on any thread, share
/// what has been evaluated. What a closure does on the side it does once for each element, however many
/// lists and threads ask.
///
/// Evaluation runs on the thread that asks, which waits for it; if another thread evaluates the element
/// already, it waits for that one. A closure must not ask for the element it is evaluating. Where evaluation
/// takes long, `signal(on:)` does it on a scheduler.
///
/// By default elements are evaluated one by one, as they are asked for, and a list may be endless. The lists
/// derived from ``eager`` are evaluated as a whole when they are made.
///
/// Whoever holds a list holds all that has been evaluated from there on: hold the ``tail`` instead of the
/// list where the elements before are not needed any more. A loop over the list does not hold them.
public struct LazyList<Element: Sendable>: Sendable {
  let cell: ListCell<Element>
  /// Whether lists that are derived from this one are evaluated as a whole when they are made.
  public let isEager: Bool

  init(_ cell: ListCell<Element>, isEager: Bool = false) {
    self.init(known: cell, isEager: isEager)
    if isEager { evaluate() }
  }

  /// The list of a cell that is evaluated as far as it should be.
  private init(known cell: ListCell<Element>, isEager: Bool) {
    self.cell = cell
    self.isEager = isEager
  }

  /// The list of an element and what follows it, each evaluated when somebody asks for it.
  ///
  /// ```swift
  /// func numbers(from first: Int) -> LazyList<Int> {
  ///   LazyList(head: first, tail: numbers(from: first + 1))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - head: Evaluated at most once; also later than the tail, if that is asked for first.
  ///   - tail: Evaluated at most once, when somebody asks for something in it.
  public init(
    head: @autoclosure @escaping @Sendable () -> Element,
    tail: @autoclosure @escaping @Sendable () -> LazyList = .empty()
  ) {
    self.init(ListCell(.evaluating(head), ListCell { .same(tail().cell) }))
  }

  /// A list without elements.
  public static func empty() -> LazyList { LazyList(ListCell()) }

  /// A list of one element.
  public static func just(_ element: Element) -> LazyList {
    LazyList(ListCell(.value(element), ListCell()))
  }

  /// The list that a closure returns, which runs when something of the list is asked for, at most once.
  ///
  /// - Parameter make: A list that refers to itself this way takes no stack, however deep it goes. It keeps
  ///   itself alive, too, until it has been evaluated to its end; one without an end for ever.
  /// - Returns: A list of the same elements.
  public static func deferred(_ make: @escaping @Sendable () -> LazyList) -> LazyList {
    LazyList(ListCell { .same(make().cell) })
  }

  /// The first element; nil if there is none.
  public var head: Element? { cell.node?.head.value }

  /// What follows the first element; nil if there is none.
  ///
  /// Does not evaluate the first element, nor any that follows.
  public var tail: LazyList? { cell.node.map { LazyList(known: $0.tail, isEager: isEager) } }

  /// Whether there is no element; evaluates none, unless that is what decides (`filter`).
  public var isEmpty: Bool { cell.node == nil }

  /// The same list, evaluated as a whole now, and so will be all that are derived from it.
  ///
  /// An endless list never returns from here.
  public var eager: LazyList { LazyList(cell, isEager: true) }

  /// The same list; those that are derived from it are evaluated one by one, as by default.
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
  /// A list of other elements that is as eager as this one.
  func derived<Other: Sendable>(_ cell: ListCell<Other>) -> LazyList<Other> {
    LazyList<Other>(cell, isEager: isEager)
  }

  /// The same from its first step.
  func derived<Other: Sendable>(
    _ step: @escaping @Sendable () -> ListStep<Other>
  ) -> LazyList<Other> {
    derived(ListCell(step))
  }
}
