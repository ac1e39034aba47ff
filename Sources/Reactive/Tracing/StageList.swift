public import ReactiveTrace
public import Synchronization

/// Stages that have begun together: the first of them, which belongs to the caller, and the last.
///
/// A stage is the subscription to one signal of a chain of operators.
@usableFromInline typealias TracedStages = TraceStages

/// The traced stages of one subscription, which end together with it.
///
/// The list refers to the last stage, which the trace has linked to the others
/// (``ReactiveTrace/Tracer/stagesBegan(signal:downstream:scope:)``).
///
/// A chain of stages therefore costs its scope one word, and one call when it ends.
@usableFromInline
struct StageList: ~Copyable {
  @usableFromInline let last = Atomic<UInt64>(0)

  /// The value of ``last`` once the stages have ended; no identifier has this value.
  private static var over: UInt64 { 1 << 32 }

  @inlinable @inline(__always)
  init() {}

  /// Sets the stages of a subscription to which nothing else refers yet.
  @inline(__always)
  borrowing func begin(with stages: TraceStages) {
    last.store(UInt64(stages.last.rawValue), ordering: .relaxed)
  }

  /// Adds stages that nothing else can end yet; returns false if the list has ended.
  @inline(__always)
  borrowing func add(_ stages: TraceStages) -> Bool {
    var seen = last.load(ordering: .relaxed)
    var next = stages.next
    while seen != Self.over {
      if seen != UInt64(next.rawValue) {
        next = TraceID(rawValue: UInt32(truncatingIfNeeded: seen))
        // The exchange below publishes this link, and `end` acquires it.
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

  /// Records the end of all stages, the latest first.
  borrowing func end(_ ending: Ending) {
    let all = last.exchange(Self.over, ordering: .acquiringAndReleasing)
    if all != 0, all != Self.over {
      ending.record(TraceID(rawValue: UInt32(truncatingIfNeeded: all)))
    }
  }
}

extension Subscription {
  /// Puts the first stages into the list, while nothing else refers to the subscription.
  @inline(__always)
  final func keepFirst(_ stages: TraceStages, in list: borrowing StageList) {
    owned.store(Owned.traced, ordering: .relaxed)
    list.begin(with: stages)
  }

  /// Adds stages to the subscription's list; returns false if the subscription owns something that
  /// has to be torn down between these stages and the earlier ones, or if it has ended.
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
