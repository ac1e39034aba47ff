import CReactiveTraceShims
import Dispatch

/// A value that a closure returns, evaluated at most once.
///
/// Unchecked because of `content`, which is written only by the evaluating thread, until the
/// evaluation is done, and later by the thread that releases the last reference.
final class LazyValue<Value: Sendable>: SteppedEvaluation, @unchecked Sendable {
  private enum Content: Sendable {
    /// A closure that runs when the evaluations that it depends on, at most two, are done.
    case closure(SteppedEvaluation?, SteppedEvaluation?, @Sendable () -> Value)
    case value(Value)
    case handedOver
  }

  private var content: Content

  /// Creates a value that has not been evaluated.
  ///
  /// - Parameters:
  ///   - first: An evaluation that has to be done before the closure runs; nil for none.
  ///   - second: Another such evaluation.
  ///   - closure: Runs once.
  init(
    after first: SteppedEvaluation? = nil,
    and second: SteppedEvaluation? = nil,
    _ closure: @escaping @Sendable () -> Value
  ) {
    content = .closure(first, second, closure)
    super.init(isDone: false)
  }

  // A closure may hold another lazy value, which holds a third, and so on: a long chain must not
  // overflow the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere(&content, leaving: .handedOver) } }

  /// The value; runs the closure at the first call, and releases it.
  var value: Value {
    if !isDone { evaluate() }
    guard case .value(let value) = content else {
      preconditionFailure("LazyList: evaluated without a value")
    }
    return value
  }

  override func advance() -> SteppedEvaluation? {
    guard case .closure(let first, let second, let closure) = content else { return nil }
    if let first, !first.isDone { return first }
    if let second, !second.isDone { return second }
    content = .value(closure())
    return nil
  }
}

/// Lets a worker thread, whose stack is empty, release the contents of a variable.
///
/// The worker gets the only reference: if the caller had another one, the worker could finish
/// first, and the caller's release, on this stack, would be the last.
@inline(never)
func releaseElsewhere<Contents: Sendable>(_ place: inout Contents, leaving rest: Contents) {
  let box = moveToBox(&place, leaving: rest)
  onEmptyStack { box.release() }
}

/// Lets a worker thread, whose stack is empty, release what `take` returns.
@inline(never)
func releaseElsewhere<Contents: Sendable>(_ take: () -> Contents) {
  let box = moveToBox(take)
  onEmptyStack { box.release() }
}

@inline(never)
private func moveToBox<Contents: Sendable>(_ take: () -> Contents) -> Unmanaged<
  ContentsBox<Contents>
> {
  Unmanaged.passRetained(ContentsBox(take()))
}

/// When this returns, nothing but the box refers to the contents.
@inline(never)
private func moveToBox<Contents: Sendable>(
  _ place: inout Contents,
  leaving rest: Contents
) -> Unmanaged<ContentsBox<Contents>> {
  let box = ContentsBox(place)
  place = rest
  return Unmanaged.passRetained(box)
}

private final class ContentsBox<Contents: Sendable>: Sendable {
  private let contents: Contents
  init(_ contents: Contents) { self.contents = contents }
}

/// The element at a position of a list: evaluated, or still to be evaluated.
enum ListHead<Element: Sendable>: Sendable {
  case value(Element)
  case later(LazyValue<Element>)

  static func evaluating(_ closure: @escaping @Sendable () -> Element) -> ListHead {
    .later(LazyValue(closure))
  }

  /// A head made from another element.
  static func evaluating<Source: Sendable>(
    from source: ListHead<Source>,
    _ closure: @escaping @Sendable (Source) -> Element
  ) -> ListHead {
    .later(LazyValue(after: source.evaluation) { closure(source.value) })
  }

  /// A head made from two elements.
  static func evaluating<First: Sendable, Second: Sendable>(
    from first: ListHead<First>,
    and second: ListHead<Second>,
    _ closure: @escaping @Sendable (First, Second) -> Element
  ) -> ListHead {
    .later(
      LazyValue(after: first.evaluation, and: second.evaluation) {
        closure(first.value, second.value)
      }
    )
  }

  private var evaluation: SteppedEvaluation? {
    if case .later(let value) = self { value } else { nil }
  }

  var value: Element {
    switch self {
    case .value(let value): value
    case .later(let value): value.value
    }
  }

  /// The element, if it has been evaluated.
  var known: Element? {
    switch self {
    case .value(let value): value
    case .later(let value): value.isDone ? value.value : nil
    }
  }
}
