package import TraceReading

/// The records connected with one record: those that led to it, across queues and threads, and
/// those that it led to.
public struct Journey: Sendable {
  /// The number of the record in question.
  public var event: UInt64 = 0
  /// The connected records in order, at most ``limit`` of them.
  public var events: [EventRow] = []
  /// For each of ``events``, the number of hops (passages to scheduled work) since the first.
  public var depths: [Int] = []
  /// Whether it is not recorded what caused the first record.
  public var isCut = false

  /// The maximum number of events that are listed.
  public static let limit = 500

  /// An empty journey.
  public init() {}
}

/// Finds out what caused a record, and what it caused.
///
/// An activity is a piece of scheduled work, or a turn (an uninterrupted delivery) outside any such
/// work. An activity was caused by the record that scheduled it, and everything that its thread did
/// during the activity was caused by the activity.
package struct JourneyScan {
  private let walk: RecordWalk
  /// The activity of each record, or one of the two constants below.
  private var activities: [Int] = []
  private static let none = -1
  private static let unknown = -2
  /// For each activity, the activity that scheduled it, and the row of the record that says so.
  private var causes: [(activity: Int, row: Int)] = []
  private var open: [UInt32: [(activity: Int, kind: RecordKind, id: UInt32)]] = [:]
  private var scheduled: [UInt32: (activity: Int, row: Int)] = [:]
  private var gaps: RecordGaps
  /// Threads with missing records: the causes of what they do are unknown, except within work or
  /// turns that have begun since.
  private var lost: Set<UInt32> = []

  package static func journey(of event: UInt64, _ snapshot: TraceSnapshot) -> Journey? {
    let walk = RecordWalk(snapshot)
    guard let row = walk.row(of: event) else { return nil }
    var scan = JourneyScan(walk)
    walk.forEach(in: walk.rows) { scan.note($1, $0) }
    while scan.activities.count < walk.rows.count { scan.activities.append(none) }
    return scan.answer(row, event)
  }

  private init(_ walk: RecordWalk) {
    self.walk = walk
    gaps = RecordGaps(walk.snapshot)
    activities.reserveCapacity(walk.rows.count)
  }

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    let thread = record.thread
    // Whatever the thread was doing before the gap may have ended in it.
    if gaps.followsGap(record) {
      open[thread] = nil
      lost.insert(thread)
    }
    // Rows that were passed over, since they only continue another record, belong to no activity.
    while activities.count < row { activities.append(Self.none) }
    let outside = lost.isEmpty || !lost.contains(thread) ? Self.none : Self.unknown
    switch record.kind {
    case .hopBegan, .turnBegan:
      let outer = open[thread]?.last?.activity
      if record.kind == .hopBegan || outer == nil {
        begin(record, cause: record.kind == .hopBegan ? scheduled[record.id] : nil)
      } else if let outer {
        open[thread, default: []].append((outer, record.kind, record.id))
      }
      activities.append(open[thread]?.last?.activity ?? outside)
    case .hopEnded, .turnEnded:
      let begins: RecordKind = record.kind == .hopEnded ? .hopBegan : .turnBegan
      let place = open[thread]?.lastIndex { $0.kind == begins && $0.id == record.id }
      activities.append(place.flatMap { open[thread]?[$0].activity } ?? outside)
      if let place { open[thread]?.removeSubrange(place...) }
    default:
      let activity = open[thread]?.last?.activity ?? outside
      activities.append(activity)
      if record.kind == .hopScheduled { scheduled[record.id] = (activity, row) }
    }
  }

  private mutating func begin(_ record: TraceRecord, cause: (activity: Int, row: Int)?) {
    let activity = causes.count
    causes.append(cause ?? (Self.unknown, -1))
    open[record.thread, default: []].append((activity, record.kind, record.id))
  }

  private func answer(_ row: Int, _ event: UInt64) -> Journey {
    var journey = Journey()
    journey.event = event
    let here = activities[row]
    var depth: [Int: Int] = [:]
    /// For each earlier activity, the last row that counts: the row that scheduled the next
    /// activity on the way to the event.
    var until: [Int: Int] = [:]
    var path: [Int] = []
    var activity = here
    while activity >= 0, depth[activity] == nil {
      depth[activity] = 0
      path.append(activity)
      let cause = causes[activity]
      if cause.activity >= 0 { until[cause.activity] = cause.row }
      activity = cause.activity
    }
    for (level, activity) in path.reversed().enumerated() { depth[activity] = level }
    let scheduling = path.last.map { causes[$0] }
    journey.isCut = scheduling.map { $0.activity == Self.unknown } ?? true
    // Find the activities to which the event led. A cause has a lower number than its effects,
    // because activities are numbered in the order in which they begin.
    for (later, cause) in causes.enumerated() where depth[later] == nil {
      guard let level = depth[cause.activity] else { continue }
      // Before the event only the branch that leads to it counts; after it, every branch.
      guard cause.activity == here ? cause.row >= row : until[cause.activity] == nil else {
        continue
      }
      depth[later] = level + 1
    }
    var rows: [(row: Int, depth: Int)] = []
    for (place, activity) in activities.enumerated() {
      if place == row {
        rows.append((place, depth[here] ?? 0))
      } else if activity >= 0, let level = depth[activity], place <= until[activity] ?? .max {
        rows.append((place, level))
      } else if activity == Self.none, place == scheduling?.row {
        rows.append((place, 0))
      }
    }
    rows.removeAll { !Step.event.stops(at: walk[$0.row].kind) }
    if rows.count > Journey.limit, let place = rows.firstIndex(where: { $0.row == row }) {
      let first = max(0, min(place - Journey.limit / 2, rows.count - Journey.limit))
      rows = Array(rows[first..<(first + Journey.limit)])
    }
    let log = EventLog(walk.snapshot, first: walk.snapshot.firstExactGeneration)
    journey.events = log.rows(rows.map(\.row))
    journey.depths = rows.map(\.depth)
    return journey
  }
}
