import CReactiveTraceShims
import Synchronization

// A gate is biased to the first thread that enters it, its owner, which enters and leaves with
// plain loads and stores. This file contains the end of the bias, when another thread comes; it
// happens at most once in the life of a gate.
//
// Why this is correct. The owner A enters in this order: store `inside`, load `owner`; and leaves
// in the same order. The thread B that ends the bias holds the lock of `waiting` and proceeds in
// this order: store `owner`, barrier on all threads (`membarrier`), load `inside`, and only then
// marks the gate as shared; until then all others have to wait for B's lock. The barrier falls at
// one point of A's program:
//
// 1. A's store comes before the barrier: B sees the store. If A had entered, B finds A inside, and
// marks the gate as taken on A's behalf: `state` becomes 2 and `isHandedOver` true. If A had left,
// B finds the gate idle, and A's release makes everything it did visible to B's acquire.
// 2. A's store comes after the barrier: then A's load comes after the barrier too, and sees that
// the bias has ended. A calls `enterAfterLoss` or `leaveAfterLoss`, which wait for B's lock and
// then know from `isHandedOver` whether B considered A to be inside.
//
// So A and B never both believe that they are alone inside. If A is inside for longer, it finds out
// when it leaves: the gate is shared, or about to be, and the compare-and-swap of `leaveShared`
// fails because `state` is 2 (or still 0, while B holds the lock), so that `drain` takes the lock,
// after B. `isHandedOver` may stay true then; only an owner in the middle of one of the two
// sequences reads it, and the gate no longer has an owner.
//
// A thread is identified by an address. A thread that has ended cannot be inside; a later thread
// with the same address inherits its gates, and the system's lock on the memory of threads orders
// the accesses of both threads.
extension Gate {
  /// Enters a gate that is not biased to this thread: it has no owner yet, has another owner, or is
  /// shared.
  @usableFromInline @inline(never)
  borrowing func enterSlow(_ me: UInt) -> Bool {
    if owner.load(ordering: .relaxed) == 0 {
      let (isMine, _) = owner.compareExchange(expected: 0, desired: me, ordering: .relaxed)
      if isMine { return enter() }
    }
    if owner.load(ordering: .acquiring) != Self.shared { waiting.withLock { revokeBias(&$0) } }
    guard state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged else {
      return false
    }
    insider.store(me, ordering: .relaxed)
    return true
  }

  /// Makes the gate shared, if it is not; the caller holds the lock.
  ///
  /// Not to be called by the owner.
  borrowing func revokeBias(_ waiting: inout Waiting) {
    let former = owner.load(ordering: .relaxed)
    if former == Self.shared { return }
    if former == 0,
      owner.compareExchange(expected: 0, desired: Self.shared, ordering: .relaxed).exchanged
    {
      return
    }
    owner.store(2, ordering: .relaxed)
    rxt_gate_heavy_barrier()
    if inside.load(ordering: .acquiring) != 0 {
      waiting.isHandedOver = true
      state.store(2, ordering: .relaxed)
      insider.store(former, ordering: .relaxed)
    }
    owner.store(Self.shared, ordering: .releasing)
  }

  /// Enters for an owner that found, when it entered, that the gate had just become shared.
  @usableFromInline @inline(never)
  borrowing func enterAfterLoss() -> Bool {
    let isInside = waiting.withLock { waiting in
      defer { waiting.isHandedOver = false }
      return waiting.isHandedOver
    }
    if isInside { return true }
    guard state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged else {
      return false
    }
    noteInside()
    return true
  }

  /// Leaves for an owner that found, when it left, that the gate had just become shared.
  @usableFromInline @inline(never)
  borrowing func leaveAfterLoss() {
    let isInside = waiting.withLock { waiting in
      defer { waiting.isHandedOver = false }
      return waiting.isHandedOver
    }
    if isInside { drain() }
  }

  /// Whether the calling thread may enter and leave without synchronising with others.
  @usableFromInline var isBiasedToMe: Bool {
    borrowing get { owner.load(ordering: .relaxed) == UInt(rxt_thread_identity()) }
  }

  /// Marks the gate as left; the caller is inside and holds the lock.
  @usableFromInline
  borrowing func open(_ waiting: inout Waiting) {
    if isBiasedToMe {
      inside.store(0, ordering: .releasing)
    } else {
      revokeBias(&waiting)  // The gate may still be biased to the thread that entered it.
      state.store(0, ordering: .releasing)
    }
  }
}
