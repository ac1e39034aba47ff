import CReactiveTraceShims

/// The end of a single subscription, which takes one record instead of two.
extension Recorder {
  /// Writes a record of the end of a single stage that contains its cause, and, if nothing holds
  /// the stage, one of its release.
  @inline(__always)
  func writeOnlyEnd(
    _ record: PendingRecord,
    _ thread: ThreadState,
    _ slot: UnsafeMutableRawPointer
  ) {
    let id = TraceID(rawValue: record.id)
    var release = PendingReleases(thread)
    write(record, thread, about: slot)
    if release.isUnheld(id, slab.index(id), in: slab.stages) {
      write(PendingRecord(.subscriptionReleased, record.id), thread, about: slot)
      slab.stages.setReleaseWritten(slab.index(id))
    }
    release.finish(thread)
  }

  /// The subscriptions that were released when their closures were freed, during this end.
  ///
  /// They are matched with the subscriptions that end, which are usually the same, in the same
  /// order.
  struct PendingReleases {
    private let ids: UnsafePointer<UInt32>
    private let count: Int
    private var met = 0

    @inline(__always)
    init(_ thread: ThreadState) {
      ids = rxt_releases(thread)
      count = Int(thread.pointee.release_count)
    }

    /// Whether nothing holds the subscription that ends.
    @inline(__always)
    mutating func isUnheld(_ id: TraceID, _ index: Int, in stages: StageTable) -> Bool {
      if met == count || ids[met] != id.rawValue { return stages.isUnheld(index) }
      // If there is one holder, it is the one that has released the subscription on this thread. As
      // this thread also ends the subscription, no other thread reads or changes the count. If
      // there are more holders, the release is processed later.
      guard stages.isHeldByOne(index) else { return false }
      met &+= 1
      return true
    }

    /// Keeps only those that were not matched.
    @inline(__always)
    func finish(_ thread: ThreadState) {
      if met == count { thread.pointee.release_count = 0 } else if met > 0 { leave(thread) }
    }

    @inline(never)
    private func leave(_ thread: ThreadState) { rxt_forget_releases(thread, UInt32(met)) }
  }
}

extension ShortRecordKind {
  /// The kind of a record that reports both the end of a cancelled subscription and the cause that
  /// the tear-down record `cause` contains; nil if there is no such kind.
  init?(endOf id: TraceID, asSaidBy cause: PendingRecord) {
    let (by, downstream) = (cause.id, cause.argument)
    switch cause.kind {
    case Self.operatorTearDown.rawValue where by == (downstream == 0 ? id.rawValue : downstream):
      self = .endedByOperator
    case Self.downstreamTearDown.rawValue where by == downstream: self = .endedByDownstream
    default: return nil
    }
  }
}
