package import TraceReading

/// How events flowed between lines of code over a stretch of time, and where they came from.
///
/// The events are counted from records. They are therefore known only for the part of the stretch
/// for which there are records.
public struct FlowReport: Sendable, Equatable {
  /// The beginning of the stretch that was examined, in which no record is missing.
  public var from = Duration.zero
  /// The end of the stretch.
  public var to = Duration.zero
  /// Whether the examined stretch begins later than requested, because records are missing or there
  /// are too many.
  public var isCut = false
  /// The number of events of each line in each of ``partCount`` equal parts of the stretch.
  package var parts: [UInt32: [UInt32]] = [:]
  /// The number of events from one line to another, by ``/TraceFormat/Packing/pair(high:low:)`` of
  /// their rows.
  package var carried: [UInt64: UInt64] = [:]
  /// The number of values that the handler of one line, or an execution asked for there, sent to a
  /// signal of another, with the same key as `carried`.
  package var sent: [UInt64: UInt64] = [:]
  /// The number of events of each line by their origin: a source, or the line that runs a timer.
  package var origins: [UInt32: [UInt32: UInt64]] = [:]

  /// The number of parts into which a stretch is divided.
  package static let partCount = 16
  /// The maximum number of records that are read: if there are more, only the latest are.
  package static let recordLimit = 400_000

  /// An empty report.
  public init() {}

  /// The number of events of a line in the stretch.
  package func events(ofSite site: UInt32) -> UInt64 {
    (parts[site] ?? []).reduce(0) { $0 + UInt64($1) }
  }
}

/// Counts events between lines of code.
///
/// Work is caused by what scheduled it, and whatever a thread does within a piece of work or a
/// delivery is caused by that work or delivery.
package struct FlowScan {
  private let walk: RecordWalk
  private let store: EntityStore
  private let roots: [Bool]
  private let executing: [Bool]
  /// For each line, whether handlers of the program can send to the signals made there.
  private let isSentTo: [Bool]
  private let from: UInt64
  private let span: Double
  private var report = FlowReport()
  private var frames: [UInt32: [Frame]] = [:]
  /// The line of code where a hop (work scheduled in one place and run in another) originated, by
  /// the number of the hop.
  private var hops: [UInt32: UInt32] = [:]
  /// The line that asked for the execution whose event scheduled a hop, by the number of the hop.
  private var executions: [UInt32: UInt32] = [:]

  /// A hop, or a turn (an uninterrupted delivery from one entity), that a thread is running.
  private struct Frame {
    var entity: TraceID
    var hop: UInt32
    /// The line of code from which it originated; ``none`` if it is unknown.
    var origin: UInt32
    /// Whether it is work that the program itself scheduled, in which nothing has been delivered
    /// yet.
    var isScheduled = false
    /// The line whose handler was called last in it, or the line that asked for the execution that
    /// sent an event last; ``none`` if there is no such line.
    var handler = FlowScan.none
  }

  private static let none = UInt32.max
  private static let kinds = RecordKinds([
    .next, .ended, .turnBegan, .turnEnded, .hopScheduled, .hopBegan, .hopEnded, .timerFired,
  ])

  /// The events between two moments.
  ///
  /// - Complexity: O(records of the stretch), and at most `limit` are read.
  package static func report(
    from: Duration,
    to: Duration,
    limit: Int = FlowReport.recordLimit,
    _ snapshot: TraceSnapshot
  ) -> FlowReport {
    let walk = RecordWalk(snapshot)
    let wanted = walk.rows(from: from, to: to)
    var first = max(wanted.lowerBound, wanted.upperBound - limit)
    if let exact = walk.exactFrom {
      first = max(first, min(wanted.upperBound, walk.firstRow(from: exact)))
    } else {
      first = wanted.upperBound
    }
    let rows = first..<wanted.upperBound
    let start = rows.isEmpty || first == wanted.lowerBound ? from : walk.time(walk[first].ticks)
    var scan = FlowScan(walk, rows, from: start, to: to)
    snapshot.records.forEach(of: kinds, in: rows) { scan.note($1, $0) }
    scan.report.isCut = first > wanted.lowerBound
    return scan.report
  }

  private init(_ walk: RecordWalk, _ rows: Range<Int>, from: Duration, to: Duration) {
    self.walk = walk
    store = EntityStore(walk.snapshot, in: rows)
    roots = walk.snapshot.sites.map { $0.traits.contains(.root) }
    executing = walk.snapshot.sites.map { $0.traits.contains(.executes) }
    isSentTo = walk.snapshot.sites.map {
      $0.traits.contains(.hot) && $0.traits.isDisjoint(with: [.shares, .timer])
    }
    self.from = walk.snapshot.ticks(at: from)
    span = max(1, Double(walk.snapshot.ticks(at: to)) - Double(self.from))
    (report.from, report.to) = (from, to)
  }

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    let thread = record.thread
    switch record.kind {
    case .next: count(record, row)
    case .ended:
      if record.endReason == .failed, let site = store.subscription(record.entity, at: row)?.site,
        isExecution(site), !walk.snapshot.isRefusal(at: row, of: site)
      {
        if let last = frames[thread]?.indices.last { frames[thread]?[last].handler = site }
      }
      // A handler of terminal events can send, too; a subscription that is disposed of receives no
      // event.
      guard let site = store.subscription(record.entity, at: row)?.site, isRoot(site),
        let traits = walk.snapshot.site(site)?.traits,
        record.endReason == .failed && !traits.contains(.unhandled)
          || record.endReason == .completed && traits.contains(.handlesEnd)
      else { return }
      if let last = frames[thread]?.indices.last { frames[thread]?[last].handler = site }
    case .turnBegan:
      let life = store.life(record.entity, at: row)
      let site = life?.site ?? Self.none
      let top = frames[thread]?.last
      // If handlers can send to the signal, the handler that was called last began this turn.
      // Otherwise, the turn is a part of the delivery, on its way to the next subscriber. An
      // execution sends to the signals of its action or command only.
      if let handler = top?.handler, handler != Self.none,
        isExecution(handler)
          ? isPart(life) : isSentTo.indices.contains(Int(site)) && isSentTo[Int(site)]
      {
        report.sent[Packing.pair(high: handler, low: site), default: 0] += 1
      }
      let known = top?.origin ?? Self.none
      frames[thread, default: []].append(
        Frame(entity: record.entity, hop: 0, origin: known == Self.none ? site : known)
      )
    case .turnEnded: leave(thread) { $0.hop == 0 && $0.entity == record.entity }
    case .hopScheduled:
      guard let hop = record.hopScheduling else { return }
      let known = frames[thread]?.last?.origin ?? Self.none
      let stage = store.subscription(hop.subscription, at: row)?.site ?? Self.none
      hops[hop.hop] = known == Self.none ? stage : known
      // An action sends the events of its executions on its scheduler.
      if let handler = frames[thread]?.last?.handler, hop.subscription == .none,
        isExecution(handler)
      {
        executions[hop.hop] = handler
      }
    case .hopBegan:
      let origin = hops[record.id] ?? Self.none
      var frame = Frame(entity: .none, hop: record.id, origin: origin)
      frame.handler = executions.removeValue(forKey: record.id) ?? Self.none
      frames[thread, default: []].append(frame)
    case .hopEnded: leave(thread) { $0.hop == record.id && $0.entity == .none }
    case .timerFired:
      // A timer that fires repeatedly is itself the cause, not the code that armed it.
      guard let timer = store.life(record.entity, at: row), let last = frames[thread]?.indices.last
      else { return }
      frames[thread]?[last].origin = timer.site
      frames[thread]?[last].isScheduled = timer.link == .none
    default: break
    }
  }

  private mutating func leave(_ thread: UInt32, where isWanted: (Frame) -> Bool) {
    guard let place = frames[thread]?.lastIndex(where: isWanted) else { return }
    frames[thread]?.removeSubrange(place...)
  }

  private mutating func count(_ record: TraceRecord, _ row: Int) {
    guard let life = store.subscription(record.entity, at: row) else { return }
    let part = Double(record.ticks - min(from, record.ticks)) / span * Double(FlowReport.partCount)
    let place = min(FlowReport.partCount - 1, Int(part))
    report.parts[life.site, default: Array(repeating: 0, count: FlowReport.partCount)][place] += 1
    if life.link != .none, let next = store.subscription(life.link, at: row) {
      report.carried[Packing.pair(high: life.site, low: next.site), default: 0] += 1
    }
    guard let last = frames[record.thread]?.indices.last, var frame = frames[record.thread]?[last]
    else { return }
    if frame.origin != Self.none {
      report.origins[life.site, default: [:]][frame.origin, default: 0] += 1
    }
    // If the first delivery in work that the program scheduled is from a source, the line that
    // scheduled the work counts as the sender, like a handler that sends.
    if frame.isScheduled, life.site != frame.origin, isSource(life.site) {
      report.sent[Packing.pair(high: frame.origin, low: life.site), default: 0] += 1
    }
    frame.isScheduled = false
    frame.handler = isRoot(life.site) || isExecution(life.site) ? life.site : Self.none
    frames[record.thread]?[last] = frame
  }

  private func isSource(_ site: UInt32) -> Bool {
    walk.snapshot.site(site)?.traits.inputs == .source
  }

  private func isExecution(_ site: UInt32) -> Bool {
    executing.indices.contains(Int(site)) && executing[Int(site)]
  }

  /// Whether an entity is one of the signals of an action or a command.
  private func isPart(_ life: EntityStore.Life?) -> Bool {
    guard let life, life.kind == .signal, case .part = walk.snapshot.argument(life.argument) else {
      return false
    }
    return true
  }

  private func isRoot(_ site: UInt32) -> Bool {
    roots.indices.contains(Int(site)) && roots[Int(site)]
  }
}
