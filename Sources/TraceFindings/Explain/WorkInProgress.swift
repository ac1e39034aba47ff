import TraceModel
import TraceReading

/// The work of each thread that is unfinished where the records end: hops and turns that have begun
/// and not ended.
///
/// A hop is work that was scheduled in one place and runs in another; a turn is one uninterrupted
/// delivery of events.
///
/// Unfinished work is not evidence of a fault: a thread that is waiting, or has not been scheduled
/// on a processor, looks the same.
struct WorkInProgress {
  /// One thread at the end of its records.
  struct Activity {
    /// The row of the thread in the table of threads.
    var thread: UInt32
    /// The records that began hops or turns that have not ended, the outermost first.
    var open: [TraceRecord] = []
    /// The last event in the innermost unfinished work that contains one.
    var event: TraceRecord?
    /// The last record of the thread.
    var latest: TraceRecord
  }

  /// The place that an event had reached, or to which a turn belongs.
  struct Place {
    /// The site of the stage that received the event, or else of the stage to which the turn
    /// belongs.
    var site: UInt32
    var key: EntityKey
    /// Whether the event had reached the program's own handler, passed to `subscribe`.
    var isHandler: Bool
  }

  let activities: [Activity]
  private let store: EntityStore
  private let facts: FindingFacts
  private let chains: [UInt32: UInt32]

  /// - Complexity: O(records).
  init(_ facts: FindingFacts) {
    self.facts = facts
    store = facts.entities()
    var threads: [UInt32: Stack] = [:]
    var gaps = facts.gaps
    for record in facts.records {
      let isBehindGap = gaps.followsGap(record)
      guard record.thread != 0 else { continue }
      // Work that the thread had begun before a gap in its records may have ended in the gap.
      if isBehindGap { threads[record.thread] = nil }
      threads[record.thread, default: Stack(latest: record)].process(record)
    }
    activities = threads.keys.sorted().compactMap { thread in
      threads[thread].map { stack in
        Activity(
          thread: thread,
          open: stack.frames.compactMap(\.begin),
          event: stack.frames.last { $0.event != nil }?.event,
          latest: stack.latest
        )
      }
    }
    let hops = Set(activities.flatMap(\.open).filter { $0.kind == .hopBegan }.map(\.id))
    var chains: [UInt32: UInt32] = [:]
    if !hops.isEmpty {
      for record in facts.records where record.kind == .hopScheduled && hops.contains(record.id) {
        chains[record.id] = record.argument
      }
    }
    self.chains = chains
  }

  private struct Stack {
    struct Frame {
      var begin: TraceRecord?
      var event: TraceRecord?
    }

    var frames = [Frame()]
    var latest: TraceRecord

    init(latest: TraceRecord) { self.latest = latest }

    mutating func process(_ record: TraceRecord) {
      latest = record
      switch record.kind {
      case .hopBegan, .turnBegan: frames.append(Frame(begin: record))
      case .hopEnded, .turnEnded:
        // The work may have begun before the first record; then it is not in the list.
        let kind: RecordKind = record.kind == .hopEnded ? .hopBegan : .turnBegan
        guard
          let place = frames.lastIndex(where: {
            $0.begin?.kind == kind && $0.begin?.id == record.id
          })
        else { return }
        frames.removeSubrange(place...)
      case .next, .failed, .completed: frames[frames.count - 1].event = record
      default: break
      }
    }
  }

  /// The entity to which an identifier refers where the records end.
  private func subscription(_ id: TraceID) -> EntityStore.Life? {
    store.subscription(id, at: facts.records.count - 1)
  }

  /// The activity of a thread; nil if the thread has no record.
  func activity(of thread: UInt32) -> Activity? { activities.first { $0.thread == thread } }

  /// The stage that the last event had reached; nil if it is unknown.
  func place(_ activity: Activity) -> Place? {
    if let event = activity.event {
      guard let life = subscription(event.entity) else { return nil }
      if facts.site(life.site).traits.contains(.root) {
        return Place(site: life.site, key: life.key, isHandler: true)
      }
      guard let next = subscription(life.link) else { return nil }
      return Place(site: next.site, key: next.key, isHandler: false)
    }
    return activity.open.last { $0.kind == .turnBegan }.flatMap(subject(of:))
  }

  /// The stage of a turn or an event.
  func subject(of record: TraceRecord) -> Place? {
    if let life = subscription(record.entity) {
      return Place(site: life.site, key: life.key, isHandler: false)
    }
    return facts.slot(record.entity)
      .map { Place(site: $0.site, key: $0.key, isHandler: false) }
  }

  /// The number of the asynchronous backtrace of the innermost hop in progress; 0 if there is none.
  func chain(_ activity: Activity) -> UInt32 {
    guard let hop = activity.open.last(where: { $0.kind == .hopBegan }) else { return 0 }
    return chains[hop.id] ?? 0
  }

  /// The number of the backtrace of the subscription of the last event; 0 if there is none.
  func chainOfSubscription(_ activity: Activity) -> UInt32 {
    activity.event.flatMap { subscription($0.entity)?.chain } ?? 0
  }

  /// Describes an event: `value 3 of deliver(on:) at Feed.swift:12`.
  func words(_ event: TraceRecord) -> String {
    let place =
      subject(of: event).map { facts.site($0.site).place } ?? "a subscription not in the trace"
    switch event.kind {
    case .next: return "value \(event.argument) of \(place)"
    case .failed: return "the failure of \(place)"
    default: return "the completion of \(place)"
    }
  }

  /// Describes an event and where it had gone: `value 3 of deliver(on:) at Feed.swift:12, which had
  /// gone to map at Feed.swift:13`.
  func words(_ event: TraceRecord, to place: Place) -> String {
    guard place.isHandler else { return "\(words(event)), which had gone to \(words(place))" }
    let what =
      switch event.kind {
      case .next: "value \(event.argument)"
      case .failed: "the failure"
      default: "the completion"
      }
    return "\(what), which had gone to \(words(place))"
  }

  /// Describes a place: `map at Feed.swift:12`, or the handler of a `subscribe`.
  func words(_ place: Place) -> String {
    let name = facts.site(place.site).place
    return place.isHandler ? "the handler of \(name)" : name
  }
}

extension FindingFacts {
  /// The name of a thread, such as `the main thread` or `thread parsing (4711)`; nil if there is no
  /// such row.
  func threadName(_ row: UInt32) -> String? {
    guard row != 0, let thread = thread(row) else { return nil }
    if thread.isMain { return "the main thread" }
    return thread.name.isEmpty
      ? "thread \(thread.systemID)" : "thread \(thread.name) (\(thread.systemID))"
  }
}
