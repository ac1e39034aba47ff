import CReactiveTraceShims
import Dispatch

/// A value that a closure returns, evaluated at most once.
///
/// Unchecked for `content`, which only who evaluates it writes, before it is done.
final class LazyValue<Value: Sendable>: Evaluated, @unchecked Sendable {
  private enum Content: Sendable {
    case closure(@Sendable () -> Value)
    case value(Value)
    case handedOver
  }

  private var content: Content

  init(_ closure: @escaping @Sendable () -> Value) {
    content = .closure(closure)
    super.init(isDone: false)
  }

  // A closure may hold what was derived from it, and that another, and so on.
  deinit { if rxt_releases_deep() { releaseElsewhere(&content, leaving: .handedOver) } }

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

/// Has a worker thread, whose stack is empty, let go of what stands in a place.
///
/// The worker gets the reference that stood there, and not one more: with one of its own it could be done before
/// the caller is, whose release would be the last then, and go on here.
@inline(never)
func releaseElsewhere<Contents: Sendable>(_ place: inout Contents, leaving rest: Contents) {
  let parcel = pack(&place, leaving: rest)
  DispatchQueue.global().async { parcel.release() }
}

/// When this returns, nothing but the parcel refers to what stood there.
@inline(never)
private func pack<Contents: Sendable>(
  _ place: inout Contents,
  leaving rest: Contents
) -> Unmanaged<Parcel<Contents>> {
  let parcel = Parcel(place)
  place = rest
  return Unmanaged.passRetained(parcel)
}

private final class Parcel<Contents: Sendable>: Sendable {
  private let contents: Contents
  init(_ contents: Contents) { self.contents = contents }
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
