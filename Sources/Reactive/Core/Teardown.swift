public import ReactiveTrace

/// Why, and with which type of error, a subscription ends.
@usableFromInline
struct Ending: Sendable {
  @usableFromInline let reason: EndReason
  @usableFromInline let errorType: (any Any.Type)?

  @inlinable @inline(__always)
  init(_ reason: EndReason, _ errorType: (any Any.Type)? = nil) {
    self.reason = reason
    self.errorType = errorType
  }

  @inlinable @inline(__always) static var cancelled: Ending { Ending(.cancelled) }
}

extension End {
  @inlinable var ending: Ending {
    switch self {
    case .completed: Ending(.completed)
    case .failed(let error): Ending(.failed, type(of: error))
    case .sourceGone: Ending(.sourceGone)
    }
  }
}

/// Something that a subscription owns and ends.
///
/// Unchecked because the links belong to the owner and are read and written under its lock only. They
/// retain nothing: the list as a whole retains each member once (``Subscription/own(_:)``).
@usableFromInline
class Teardown: @unchecked Sendable {
  @exclusivity(unchecked) final var after: Unmanaged<Teardown>?
  @exclusivity(unchecked) final var before: Unmanaged<Teardown>?
  @exclusivity(unchecked) final var isOwned = false

  @inlinable
  init() {}

  /// The owner has ended.
  ///
  /// Called once, outside every lock, possibly on any thread.
  @usableFromInline
  func teardown(_ ending: Ending) {}
}

/// Runs a closure when the subscription ends.
@usableFromInline
final class ActionTeardown: Teardown, @unchecked Sendable {
  private let action: @Sendable () -> Void
  @usableFromInline init(_ action: @escaping @Sendable () -> Void) { self.action = action }
  @usableFromInline override func teardown(_ ending: Ending) { action() }
}

/// Disposes of something when the subscription ends.
@usableFromInline
final class DisposableTeardown: Teardown, @unchecked Sendable {
  private let disposable: any Disposable
  @usableFromInline init(_ disposable: any Disposable) { self.disposable = disposable }
  @usableFromInline override func teardown(_ ending: Ending) { disposable.dispose() }
}
