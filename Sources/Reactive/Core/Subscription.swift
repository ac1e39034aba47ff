import ReactiveTrace
public import Synchronization

/// A flag, and what to tear down.
///
/// The untyped part of ``Scope``.
///
/// Its list of what it owns is intrusive: owning costs no allocation, and letting go of one member in
/// the middle (an inner signal of a merge that has completed) is O(1).
@usableFromInline
class Subscription: Teardown, Disposable, @unchecked Sendable {
  @usableFromInline final let isOver = Atomic<Bool>(false)
  /// Replaced by a newer one: what it sent and still waits in a gate is dropped. (What it sent before
  /// it *completed* is not.)
  @usableFromInline final let isAbandoned = Atomic<Bool>(false)
  /// The first of what it owns; each member is retained once as long as it is in the list.
  final let owned = Locked<Unmanaged<Teardown>?>(nil)

  @usableFromInline
  override init() { super.init() }

  @inlinable final var isActive: Bool {
    @inline(__always) get { !isOver.load(ordering: .relaxed) }
  }
  @inlinable final var wasAbandoned: Bool {
    @inline(__always) get { isAbandoned.load(ordering: .relaxed) }
  }
  @usableFromInline
  final func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  @usableFromInline final var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  @usableFromInline
  final func dispose() { cancel(.cancelled) }

  /// Ends without an event.
  @usableFromInline
  final func cancel(_ ending: Ending) { if close(ending) { forget() } }

  /// Whoever owns it ended, in whatever way: from here it looks like a cancellation.
  @usableFromInline
  final override func teardown(_ ending: Ending) {
    cancel(ending.reason == .ownerGone ? ending : .cancelled)
  }

  /// Lets go of what the end has made useless.
  ///
  /// Only for who closed it.
  @usableFromInline
  func forget() {}

  /// Ends the subscription and everything upstream; false if it had ended before.
  ///
  /// The one exchange that decides between a terminal event and disposal (contract rule 6).
  @usableFromInline
  final func close(_ ending: Ending) -> Bool {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return false }
    var next = owned.withLock { first in
      let all = first
      first = nil
      var node = all
      while let one = node {
        node = one._withUnsafeGuaranteedRef { member in
          member.isOwned = false
          return member.after
        }
      }
      return all
    }
    while let one = next {
      next = one._withUnsafeGuaranteedRef { member in
        let after = member.after
        member.after = nil
        member.before = nil
        member.teardown(ending)
        return after
      }
      one.release()
    }
    return true
  }

  /// Ties the end of `one` to the end of this.
  ///
  /// The latest is torn down first, so that the source goes before what lies below it. Torn down at
  /// once if this has ended.
  @usableFromInline
  final func own(_ one: Teardown) {
    let isLate = owned.withLock { first in
      if isOver.load(ordering: .relaxed) { return true }
      let member = Unmanaged.passRetained(one)
      one.isOwned = true
      one.after = first
      first?._withUnsafeGuaranteedRef { $0.before = member }
      first = member
      return false
    }
    if isLate { one.teardown(.cancelled) }
  }

  /// Unties it again: it has ended by itself.
  @usableFromInline
  final func release(_ one: Teardown) {
    let wasOwned = owned.withLock { first in
      guard one.isOwned else { return false }
      one.isOwned = false
      one.after?._withUnsafeGuaranteedRef { $0.before = one.before }
      if let before = one.before {
        before._withUnsafeGuaranteedRef { $0.after = one.after }
      } else {
        first = one.after
      }
      one.before = nil
      one.after = nil
      return true
    }
    if wasOwned { Unmanaged.passUnretained(one).release() }
  }

  // Unlinks one by one: a long list must not be freed recursively. What is still owned here was
  // forgotten by its source, so that nothing can send any more.
  deinit {
    if !isActive { return }
    _ = close(Ending(.sourceGone))
  }
}

/// One subscription, or the upstream of one operator, and what to do when it ends.
///
/// Its owner refers to it and it to its owner until it ends, so every source must end its scope or be
/// held by something that can. `onEnd` and `owner` belong to whoever closes it.
@usableFromInline
class Scope<Failure: Error>: Subscription, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var onEnd: (@Sendable (End<Failure>) -> Void)?
  @exclusivity(unchecked) @usableFromInline final var owner: Subscription?
  /// The nearest gate that values pass further down.
  ///
  /// Written before anything is subscribed to in this scope, and not after.
  @exclusivity(unchecked) @usableFromInline final var below: GatedStage?

  @inlinable
  init(in owner: Subscription? = nil, onEnd: @escaping @Sendable (End<Failure>) -> Void) {
    self.onEnd = onEnd
    self.owner = owner
    super.init()
    owner?.own(self)
  }

  /// A terminal event: tears down upstream, then tells downstream, unless the scope has ended before.
  @inlinable
  final func end(_ end: End<Failure>) { finish(end, upstream: end.ending) }

  /// Ends with `end` for what is below, and as `upstream` says for what is above: `take` completes,
  /// but cancels its source.
  @inlinable
  final func finish(_ end: End<Failure>, upstream: Ending) {
    guard close(upstream) else { return }
    owner?.release(self)
    let tell = onEnd
    forget()
    tell?(end)
  }

  @usableFromInline
  final override func forget() {
    onEnd = nil
    owner = nil
  }
}
