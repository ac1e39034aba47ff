public import TraceFormat

/// Why a subscription ends, what ended it, and the type of its error, in two machine words.
@usableFromInline
struct Ending: Sendable {
  @usableFromInline let reason: EndReason
  /// What ended the subscription, as traces record it.
  @usableFromInline let cause: EndCause
  /// The owner that ended the subscription, if that owner is traced.
  @usableFromInline let owner: TraceID
  @usableFromInline let errorType: (any Any.Type)?

  @inlinable @inline(__always)
  init(
    _ reason: EndReason,
    _ errorType: (any Any.Type)? = nil,
    by cause: EndCause = .operator,
    _ owner: TraceID = .none
  ) {
    self.reason = reason
    self.cause = cause
    self.owner = owner
    self.errorType = errorType
  }

  /// The ending of a subscription from which an operator needs no more events.
  @inlinable @inline(__always) static var cancelled: Ending { Ending(.cancelled) }
}

extension End {
  @inlinable var ending: Ending {
    switch self {
    case .completed: Ending(.completed, by: .event)
    case .failed(let error): Ending(of: error)
    case .sourceGone: Ending(.sourceGone, by: .event)
    }
  }
}

/// Something that a subscription owns and ends.
@usableFromInline
class Member: @unchecked Sendable {
  // Unchecked because of the state of its subclasses; this class has no state.
  @inlinable @inline(__always)
  init() {}

  /// Ends this member, because its owner has ended.
  ///
  /// The owner calls this once, on any thread, without holding a lock.
  @usableFromInline
  func teardown(_ ending: Ending) {}

  /// Returns an entry for a list: this member, if it has links, or else a wrapper around it.
  ///
  /// The result takes over the owner's retain of this member.
  func linked() -> Unmanaged<Teardown> { .passRetained(LinkedMember(.passUnretained(self))) }
}

/// A member that has links, so that a subscription can own several of them in a list.
///
/// Unchecked because the owner reads and writes the links only under its lock
/// (``Subscription/own(_:)``). The links retain nothing: the list retains each member once.
@usableFromInline
class Teardown: Member, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var after: Unmanaged<Teardown>?
  @exclusivity(unchecked) @usableFromInline final var before: Before

  /// What precedes a member in a list.
  @usableFromInline
  enum Before {
    /// Nothing: the member is in no list.
    case none
    /// The owner: the member is the first in the list.
    case owner
    case member(Unmanaged<Teardown>)
  }

  @inlinable @inline(__always)
  override init() {
    before = .none
    super.init()
  }

  final override func linked() -> Unmanaged<Teardown> { .passUnretained(self) }
}

/// A list entry for a member that has no links.
private final class LinkedMember: Teardown, @unchecked Sendable {
  private let member: Unmanaged<Member>

  init(_ member: Unmanaged<Member>) { self.member = member }

  deinit { member.release() }

  override func teardown(_ ending: Ending) {
    member._withUnsafeGuaranteedRef { $0.teardown(ending) }
  }
}

/// Runs a closure when the subscription ends.
@usableFromInline
final class ActionTeardown: Teardown, @unchecked Sendable {
  private let action: @Sendable () -> Void
  @usableFromInline init(_ action: @escaping @Sendable () -> Void) { self.action = action }
  @usableFromInline override func teardown(_ ending: Ending) { NestingLimit.run(action) }
}

/// Disposes of a disposable when the subscription ends.
@usableFromInline
final class DisposableTeardown: Teardown, @unchecked Sendable {
  private let disposable: any Disposable
  @usableFromInline init(_ disposable: any Disposable) { self.disposable = disposable }
  @usableFromInline override func teardown(_ ending: Ending) { disposable.disposeInside() }
}
