import ReactiveTrace
import Synchronization

/// The traced stages of one subscription, which end with it: the last one, which the trace has put before the
/// others (``ReactiveTrace/Tracer/stagesBegan(signal:downstream:scope:)``).
///
/// So a chain of stages costs its scope one word, and one call when it ends.
struct StageList: ~Copyable {
  private let last = Atomic<UInt64>(0)

  /// What ``last`` is once they have ended: no identifier.
  private static var over: UInt64 { 1 << 32 }

  /// Has only these, of a subscription that nobody else knows of yet.
  @inline(__always)
  borrowing func begin(with stages: TraceStages) {
    last.store(UInt64(stages.last.rawValue), ordering: .relaxed)
  }

  /// Adds some that nobody can end yet; false if the others have ended.
  @inline(__always)
  borrowing func add(_ stages: TraceStages) -> Bool {
    var seen = last.load(ordering: .relaxed)
    var next = stages.next
    while seen != Self.over {
      if seen != UInt64(next.rawValue) {
        next = TraceID(rawValue: UInt32(truncatingIfNeeded: seen))
        // Released to the end by the exchange.
        Tracer.put(stages.first, before: next)
      }
      let (isDone, found) = last.compareExchange(
        expected: seen,
        desired: UInt64(stages.last.rawValue),
        ordering: .acquiringAndReleasing
      )
      if isDone { return true }
      seen = found
    }
    return false
  }

  /// Tells the end of all of them, the latest first.
  borrowing func end(_ ending: Ending) {
    let all = last.exchange(Self.over, ordering: .acquiringAndReleasing)
    if all != 0, all != Self.over {
      ending.record(TraceID(rawValue: UInt32(truncatingIfNeeded: all)))
    }
  }
}

extension Subscription {
  /// Keeps the first stages in the list, while nobody else knows of the subscription.
  @inline(__always)
  final func keepFirst(_ stages: TraceStages, in list: borrowing StageList) {
    owned.store(Owned.traced, ordering: .relaxed)
    list.begin(with: stages)
  }

  /// Adds stages to the subscription's list; false where something is owned that has to be torn down between them
  /// and the stages before, or this has ended.
  @inline(__always)
  final func keep(_ stages: TraceStages, in list: borrowing StageList) -> Bool {
    let word = owned.load(ordering: .relaxed)
    if word == Owned.traced { return list.add(stages) }
    guard word == Owned.nothing else { return false }
    let (isDone, found) = owned.compareExchange(
      expected: Owned.nothing,
      desired: Owned.traced,
      ordering: .acquiringAndReleasing
    )
    return (isDone || found == Owned.traced) && list.add(stages)
  }
}
