public import ReactiveTrace

extension Subscription {
  /// The number of this subscription in traces: its address.
  @inlinable final var traceNumber: UInt {
    @inline(__always) get { UInt(bitPattern: ObjectIdentifier(self)) }
  }

  /// Makes traced stages, which nothing else can end yet, end together with this subscription.
  ///
  /// As with owned members, the latest ends first.
  @inlinable @inline(__always)
  final func own(_ stages: TraceStages) { if !keep(stages) { ownSeparately(stages) } }

  @usableFromInline @inline(never)
  final func ownSeparately(_ stages: TraceStages) {
    if stages.next != .none { Tracer.put(stages.first, before: .none) }
    own(StageEnd(stages.last))
  }

  /// Tears down the members of a subscription that keeps traced stages.
  @inline(never)
  final func tearDownTraced(_ all: Owned, _ ending: Ending) {
    Tracer.beginTeardown()
    tearDownOwned(all, ending)
    // The stages existed before everything that is owned, so they end last.
    endStages(ending)
    Tracer.endTeardown()
  }
}
