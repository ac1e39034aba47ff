public import ReactiveTrace
public import Synchronization

/// A flag, and what to tear down.
///
/// The untyped part of ``Scope``. How what it owns is kept: see ``Owned``.
@usableFromInline
class Subscription: Teardown, Disposable, @unchecked Sendable {
  /// ``Owned/over`` once it has ended; until then what it owns.
  @usableFromInline final let owned = Atomic<UInt>(Owned.nothing)
  /// Guards the links between several that are owned.
  final let links = Mutex(())
  /// What tells the thread sanitizer of the hand-over of ``links``; see ``Locked``.
  final let handOver = Atomic<Bool>(false)
  /// Replaced by a newer one: what it sent and still waits in a gate is dropped. (What it sent before
  /// it *completed* is not.)
  @usableFromInline final let isAbandoned = Atomic<Bool>(false)

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

  /// Ends without an event.
  @usableFromInline
  final func cancel(_ ending: Ending) { if close(ending) { forget() } }

  /// Whoever owns it ended, in whatever way: from here it looks like a cancellation.
  @usableFromInline
  final override func teardown(_ ending: Ending) {
    cancel(Ending(ending.reason == .ownerGone ? .ownerGone : .cancelled, by: .downstream))
  }

  /// Lets go of what the end has made useless.
  ///
  /// Only for who closed it.
  @usableFromInline
  func forget() {}

  /// Keeps traced stages until the end, in a scope that has room for that; false in others.
  @usableFromInline
  func keep(_ stages: TraceStages) -> Bool { false }

  /// Keeps the first stages, while nobody else knows of this.
  @usableFromInline
  func keepFirst(_ stages: TraceStages) { own(stages) }

  /// Tells the end of the stages that are kept.
  func endStages(_ ending: Ending) {}

  /// Ends the subscription and everything upstream; false if it had ended before.
  ///
  /// The one exchange that decides between a terminal event and disposal (contract rule 6).
  @usableFromInline
  final func close(_ ending: Ending) -> Bool {
    let word = owned.exchange(Owned.over, ordering: .acquiringAndReleasing)
    if word == Owned.over { return false }
    if word != Owned.nothing { tearDown(Owned(word), ending) }
    return true
  }

  // Unlinks one by one: a long list must not be freed recursively. What is still owned here was
  // forgotten by its source, so that nothing can send any more.
  deinit {
    if !isActive { return }
    _ = close(Ending(.sourceGone, by: .released))
  }
}
