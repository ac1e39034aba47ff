import CReactiveTraceShims
import Dispatch

/// A value that a closure returns, evaluated at most once.
///
/// Unchecked for `content`, which only who evaluates it writes, before it is done.
final class LazyValue<Value: Sendable>: Evaluated, @unchecked Sendable {
  private enum Content: Sendable {
    case closure(@Sendable () -> Value)
    case value(Value)
  }

  private var content: Content

  init(_ closure: @escaping @Sendable () -> Value) {
    content = .closure(closure)
    super.init(isDone: false)
  }

  // A closure may hold what was derived from it, and that another, and so on.
  deinit { if rxt_releases_deep() { releaseElsewhere(content) } }

  /// The value; runs the closure at the first call, and lets it go.
  var value: Value {
    if !isDone, begin() {
      if case .closure(let closure) = content { content = .value(closure()) }
      finish()
    }
    guard case .value(let value) = content else {
      preconditionFailure("LazyList: evaluated without a value")
    }
    return value
  }
}

/// Keeps something until a worker thread lets it go, whose stack is empty.
@inline(never)
func releaseElsewhere(_ one: some Sendable) {
  DispatchQueue.global().async { withExtendedLifetime(one) {} }
}

/// The first element of what is left of a list: there, or still to be evaluated.
enum ListHead<Element: Sendable>: Sendable {
  case value(Element)
  case later(LazyValue<Element>)

  static func evaluating(_ closure: @escaping @Sendable () -> Element) -> ListHead {
    .later(LazyValue(closure))
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
