import CReactiveTraceShims
import TracePlatform

/// The cause of the end of subscriptions, which is recorded before their ends.
extension Recorder {
  /// What caused a tear-down, as far as the reporting code knows.
  struct TearDown {
    let cause: EndCause
    /// The owner that caused it, or none.
    let owner: TraceID
    /// The frame of the function that reports the tear-down; 0 if its place is not needed.
    let frame: UInt

    init(_ cause: EndCause, _ owner: TraceID, from frame: UInt) {
      self.cause = cause
      self.owner = owner
      self.frame = frame
    }

    /// Whether the program itself caused it, so that the place is worth recording.
    func isOfProgram(_ reason: EndReason) -> Bool {
      switch cause {
      case .disposed, .owner, .released, .task: true
      case .event: reason == .sourceGone
      case .unknown, .operator, .downstream, .late: false
      }
    }
  }

  /// A record of the cause that has been written.
  ///
  /// It must be in the same segment as the ends that it applies to.
  struct WrittenTearDown {
    let record: PendingRecord
    private var segment: UnsafeMutablePointer<UInt8>?

    @inline(__always)
    init(_ record: PendingRecord, _ thread: ThreadState) {
      self.record = record
      segment = thread.pointee.segment
    }

    /// Whether the thread writes into another segment by now, so that the record has to be
    /// repeated.
    func isElsewhere(_ thread: ThreadState) -> Bool { thread.pointee.segment != segment }

    /// Notes that the record has been repeated in the thread's current segment.
    mutating func isHere(_ thread: ThreadState) { segment = thread.pointee.segment }
  }

  /// A record of the cause for the tear-down of `first` and the stages that end after it.
  ///
  /// If the place is not recorded, the record is a short form for the usual causes.
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
    var (by, downstream) = (TraceID.none, TraceID.none)
    switch tearDown.cause {
    case .owner: by = tearDown.owner
    case .operator, .downstream, .event, .late:
      let (below, alone) = end(of: first)
      downstream = below
      by =
        switch tearDown.cause {
        case .event: first
        // A subscription with nothing below it has ended by itself, for example because it has
        // received what it waited for.
        case .operator: below == .none ? alone : below
        default: below
        }
    case .unknown, .disposed, .released, .task: break
    }
    if chain == 0, let kind = Self.shortKind(tearDown.cause) {
      return PendingRecord(kind, by.rawValue, downstream.rawValue)
    }
    var record = PendingRecord(.tearDown, chain, tearDown.cause.rawValue)
    record.continuations = 1
    record.more = (UInt64(by.rawValue), UInt64(downstream.rawValue), 0, 0, 0, 0)
    return record
  }

  @inline(__always)
  private static func shortKind(_ cause: EndCause) -> ShortRecordKind? {
    switch cause {
    case .operator: .operatorTearDown
    case .downstream: .downstreamTearDown
    case .event: .eventTearDown
    default: nil
    }
  }

  /// Finds the subscription downstream of a scope whose stages end, beginning with `first`.
  ///
  /// `below` is the subscription, in another scope, that is directly downstream of the scope's
  /// lowest stage. If there is none, `alone` is the lowest stage itself. Both are none if it is
  /// unknown what is downstream.
  ///
  /// Perhaps only some of the scope's stages end now, and others later, so the search continues
  /// downstream of those that end now.
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

  /// The maximum number of further stages of the same scope that are searched.
  private static var longestScope: Int { 256 }
}
