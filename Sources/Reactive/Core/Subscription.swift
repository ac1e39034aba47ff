import TraceFormat
public import Synchronization

/// Whether a subscription has ended, and what to tear down when it ends.
///
/// This is the untyped part of ``Scope``. ``Owned`` describes how owned members are kept.
@usableFromInline
class Subscription: Teardown, Disposable, @unchecked Sendable {
  /// ``Owned/over`` once the subscription has ended; until then, the members that it owns.
  @usableFromInline final let owned = Atomic<UInt>(Owned.nothing)
  /// Guards the links between several owned members.
  final let links = Mutex(())
  /// Makes the hand-over of ``links`` visible to the thread sanitizer; see ``Locked``.
  final let handOver = Atomic<Bool>(false)
  /// Whether a newer subscription has replaced this one.
  ///
  /// If so, events of this one that still wait in a gate are dropped. (If this one completes, they
  /// are delivered.)
  @usableFromInline final let isAbandoned = Atomic<Bool>(false)

  /// Whether a ``TailLoop`` starts signals in this scope; set before anything is subscribed to, and
  /// not changed afterwards.
  @exclusivity(unchecked) @usableFromInline final var hasLoop = false

  @inlinable
  override init() { super.init() }

  @inlinable final var isActive: Bool {
    @inline(__always) get { owned.load(ordering: .relaxed) != Owned.over }
  }
  @inlinable final var wasAbandoned: Bool {
    @inline(__always) get { isAbandoned.load(ordering: .relaxed) }
  }
  @usableFromInline
  final func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  @usableFromInline final var isDisposed: Bool { owned.load(ordering: .acquiring) == Owned.over }

  @usableFromInline
  final func dispose() { cancel(.cancelled) }

  /// Ends the subscription without an event.
  @usableFromInline
  final func cancel(_ ending: Ending) { if close(ending) { forget() } }

  /// Cancels this subscription because its owner has ended, with an event or without.
  @usableFromInline
  final override func teardown(_ ending: Ending) {
    cancel(Ending(ending.reason == .ownerGone ? .ownerGone : .cancelled, by: .downstream))
  }

  /// Releases what is not needed after the end.
  ///
  /// Called only by the thread that closed the subscription.
  @usableFromInline
  func forget() {}

  /// Keeps traced stages until the end; returns false if this kind of scope cannot keep them.
  @usableFromInline
  func keep(_ stages: TracedStages) -> Bool { false }

  /// Keeps the first stages; called before anything else refers to this subscription.
  @usableFromInline
  func keepFirst(_ stages: TracedStages) { own(stages) }

  /// Records the end of the stages that are kept.
  func endStages(_ ending: Ending) {}

  /// Ends the subscription and everything upstream; returns false if it had ended before.
  ///
  /// A single exchange decides between a terminal event and disposal (event contract, rule 6).
  @usableFromInline
  final func close(_ ending: Ending) -> Bool {
    let word = owned.exchange(Owned.over, ordering: .acquiringAndReleasing)
    if word == Owned.over { return false }
    if word != Owned.nothing { tearDown(Owned(word), ending) }
    return true
  }

  /// Ends a subscription that is being released.
  ///
  /// If it is still active, its source has released it, so nothing can send any more. The members
  /// are released one by one, because a long list must not be freed recursively.
  @inline(__always)
  final func closeReleased() { if isActive { _ = close(Ending(.sourceGone, by: .released)) } }

  deinit { closeReleased() }
}
