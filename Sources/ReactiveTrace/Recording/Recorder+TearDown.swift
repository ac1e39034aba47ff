import CReactiveTraceShims
import TracePlatform

/// What ended subscriptions, as it stands before their ends.
extension Recorder {
  /// Who began a tear-down, as whoever tells it knows.
  struct TearDown {
    let cause: EndCause
    /// The owner that did, if it was one.
    let owner: TraceID
    /// The frame of the function that tells it; 0 where nobody asks for the place.
    let frame: UInt

    init(_ cause: EndCause, _ owner: TraceID, from frame: UInt) {
      self.cause = cause
      self.owner = owner
      self.frame = frame
    }

    /// The program's own doing: it is worth the place.
    func isOfProgram(_ reason: EndReason) -> Bool {
      switch cause {
      case .disposed, .owner, .released, .task: true
      case .event: reason == .sourceGone
      case .unknown, .operator, .downstream, .late: false
      }
    }
  }

  /// A record of the cause, which stands in the segment of the ends that it is of.
  struct WrittenTearDown {
    let record: PendingRecord
    private var segment: UnsafeMutablePointer<UInt8>?

    @inline(__always)
    init(_ record: PendingRecord, _ thread: ThreadState) {
      self.record = record
      segment = thread.pointee.segment
    }

    /// Whether the thread has another segment by now.
    func isElsewhere(_ thread: ThreadState) -> Bool { thread.pointee.segment != segment }

    /// It has been written again.
    mutating func isHere(_ thread: ThreadState) { segment = thread.pointee.segment }
  }

  /// What is written of a tear-down of `first` and those behind it.
  @inline(__always)
  func record(
    of tearDown: TearDown,
    _ thread: ThreadState,
    _ first: TraceID,
    _ reason: EndReason
  ) -> PendingRecord {
    let chain =
      capturesHops && tearDown.isOfProgram(reason)
      ? chainOfItsOwn(thread, from: tearDown.frame, scheduler: thread.pointee.scheduler_id) : 0
    var record = PendingRecord(.tearDown, chain, tearDown.cause.rawValue)
    record.continuations = 1
    switch tearDown.cause {
    case .owner: record.more.0 = UInt64(tearDown.owner.rawValue)
    case .operator, .downstream, .event, .late:
      let (below, alone) = end(of: first)
      record.more.1 = UInt64(below.rawValue)
      record.more.0 =
        switch tearDown.cause {
        case .event: UInt64(first.rawValue)
        // What nothing is below of ends by itself, as a subscription that has what it waited for.
        case .operator: UInt64((below == .none ? alone : below).rawValue)
        default: UInt64(below.rawValue)
        }
    case .unknown, .disposed, .released, .task: break
    }
    return record
  }

  /// What the scope that `first` and those behind it end with is of: the subscription below it, of another scope, or,
  /// where there is nothing below it, its own lowest one; none where that is not known.
  ///
  /// What ends together may be a part of the scope's subscriptions only: others follow.
  @inline(never)
  private func end(of first: TraceID) -> (below: TraceID, alone: TraceID) {
    var lowest = first
    while true {
      let next = slab.stages.next(slab.index(lowest))
      guard next != .none, slab.liveSlot(next, .subscription) != nil else { break }
      lowest = next
    }
    for _ in 0..<Self.longestScope {
      guard let slot = slab.liveSlot(lowest, .subscription) else { break }
      let below = TraceID(rawValue: Layout.Slot.link.relaxed(at: slot))
      if below == .none {
        return (.none, slab.stages.isAboveUnknown(slab.index(lowest)) ? .none : lowest)
      }
      guard slab.liveSlot(below, .subscription) != nil else { break }
      guard slab.stages.areOfOneScope(slab.index(lowest), slab.index(below)) else {
        return (below, .none)
      }
      lowest = below
    }
    return (.none, .none)
  }

  /// Subscriptions of a scope that end one by one, at most, where the one below is looked for.
  private static var longestScope: Int { 256 }
}
