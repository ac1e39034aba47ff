import CReactiveTraceShims
import TracePlatform

/// What ended subscriptions, as recorded before their ends.
extension Recorder {
  /// What began a tear-down, as far as the reporting code knows.
  struct TearDown {
    let cause: EndCause
    /// The owner that did, if it was one.
    let owner: TraceID
    /// The frame of the function that reports it; 0 if the place is not needed.
    let frame: UInt

    init(_ cause: EndCause, _ owner: TraceID, from frame: UInt) {
      self.cause = cause
      self.owner = owner
      self.frame = frame
    }

    /// Whether the program itself did it: then the place is worth recording.
    func isOfProgram(_ reason: EndReason) -> Bool {
      switch cause {
      case .disposed, .owner, .released, .task: true
      case .event: reason == .sourceGone
      case .unknown, .operator, .downstream, .late: false
      }
    }
  }

  /// A record of the cause, which must be in the same segment as the ends that it applies to.
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

    /// Notes that it has been written again.
    mutating func isHere(_ thread: ThreadState) { segment = thread.pointee.segment }
  }

  /// The record of a tear-down of `first` and those after it.
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
        // A subscription with nothing below it ends by itself, for example when it has what it
        // waited for.
        case .operator: UInt64((below == .none ? alone : below).rawValue)
        default: UInt64(below.rawValue)
        }
    case .unknown, .disposed, .released, .task: break
    }
    return record
  }

  /// What the scope belongs to that ends with `first` and those after it: the subscription below
  /// it, of another scope, or, if nothing is below, its own lowest one; none if that is unknown.
  ///
  /// Only some of the scope's subscriptions may end together: others follow.
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

  /// The maximum number of subscriptions of a scope that are searched for the one below, if they
  /// end one by one.
  private static var longestScope: Int { 256 }
}
