public import TraceReading

/// The state of a trace at any of its instants, forwards and backwards.
///
/// It replays records from the nearest of a few checkpoints, so a step back usually replays at most
/// a sixteenth of the records. Entities that existed before the oldest record are derived from
/// later statuses (records that repeat the state of an entity) and from the slab (the table of live
/// entities). Facts that no record shows are unknown, and never guessed: removing records makes
/// answers unknown, but never different.
///
/// In addition to the snapshot, it stores at most ``checkpointLimit`` checkpoints and a few other
/// copies of the live entities.
public struct Timeline: Sendable {
  /// The snapshot of which it is a timeline.
  public private(set) var snapshot: TraceSnapshot
  private(set) var window: ExactWindow
  /// States, each after a number of records of the snapshot, in ascending order of that number.
  private var checkpoints: [Checkpoint] = []
  /// The state shown last, from which the next step begins.
  private var cursor: Checkpoint
  /// A state shortly before one that was shown recently, from which steps back begin.
  private var recent: Checkpoint?
  /// The counters when the exact window (in which no record is missing) began; nil if it began with
  /// the recording.
  private var start: Moment.Start?

  /// The findings of the whole trace, once they have been requested.
  var findings: [Finding]?
  /// Computes the findings; it is a closure because the rules are in a module above the model.
  let findFindings: @Sendable (TraceSnapshot) -> [Finding]
  let stopRows = StopRows()
  /// The callers of subscriptions, as far as they have been looked up.
  let callPaths: CallPaths

  /// The maximum number of checkpoints.
  public static let checkpointLimit = 16
  /// The approximate maximum number of entities in all checkpoints.
  static let entityLimit = 400_000
  /// The minimum number of records between checkpoints.
  static let checkpointDistance = 2048

  struct Checkpoint: Sendable {
    var count: Int
    var state: GraphState
  }

  /// The timeline of a snapshot, with the closure that computes its findings on demand.
  ///
  /// - Complexity: O(records).
  package init(
    _ snapshot: TraceSnapshot,
    callPaths: CallPaths,
    findings: @escaping @Sendable (TraceSnapshot) -> [Finding]
  ) {
    self.snapshot = snapshot
    self.callPaths = callPaths
    findFindings = findings
    window = ExactWindow(snapshot)
    cursor = Checkpoint(count: window.firstRecord, state: window.base)
    checkpoints = [cursor]
    index()
  }

  private mutating func index() {
    let rows = window.firstRecord..<snapshot.records.count
    var distance = max(Self.checkpointDistance, rows.count / Self.checkpointLimit + 1)
    var state = window.base
    var held = state.entities.count
    var next = window.firstRecord
    while next < rows.upperBound {
      let end = min(rows.upperBound, next + distance)
      apply(next..<end, to: &state)
      next = end
      guard next < rows.upperBound else { break }
      checkpoints.append(Checkpoint(count: next, state: state))
      held += state.entities.count
      // If checkpoints hold many entities, every second checkpoint is dropped.
      if held > Self.entityLimit, checkpoints.count > 4 {
        checkpoints = checkpoints.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        held = checkpoints.reduce(0) { $0 + $1.state.entities.count }
        distance *= 2
      }
    }
    if !window.isWhole { start = Moment.Start(end: GraphState(end: snapshot), moved: state) }
  }

  private func apply(_ rows: Range<Int>, to state: inout GraphState) {
    guard let first = window.firstGeneration else { return }
    snapshot.records.forEach(of: GraphState.kinds, in: rows) { _, record in
      if record.generation >= first { state.apply(record) }
    }
  }

  // MARK: States

  /// The entities after the first `count` records of the snapshot.
  ///
  /// `count` has to lie within the window.
  private mutating func state(after count: Int) -> GraphState {
    var nearest = checkpoints.last { $0.count <= count } ?? checkpoints[0]
    if let recent, recent.count <= count, recent.count > nearest.count { nearest = recent }
    if cursor.count > count || cursor.count < nearest.count { cursor = nearest }
    let keep = count - Self.checkpointDistance / 2
    if cursor.count < keep {
      apply(cursor.count..<keep, to: &cursor.state)
      cursor.count = keep
    }
    if cursor.count == keep { recent = cursor }
    apply(cursor.count..<count, to: &cursor.state)
    cursor.count = count
    return cursor.state
  }

  /// Everything that is known about an instant.
  package mutating func moment(at place: Place) -> Moment {
    guard let count = place.count else {
      return Moment(end: snapshot, instant: InstantInfo(at: place, snapshot))
    }
    var instant = InstantInfo(at: place, snapshot)
    guard count >= window.start, window.firstGeneration != nil,
      place.ticks >= window.base.ticks || window.isWhole
    else {
      instant.isExact = false
      var moment = Moment(
        state: window.base.before(place.ticks),
        snapshot,
        instant,
        place,
        isExact: false
      )
      moment.earlier = earlier(before: place.ticks)
      return moment
    }
    var moment = Moment(state: state(after: count), snapshot, instant, place, isExact: true)
    moment.events = window.events
    if !window.events.isComplete { moment.state.forgetEvents(but: window.events) }
    moment.start = start
    return moment
  }

  /// The counters that are known before the window; nil at an instant when the records of one
  /// thread already belong to the window while those of another do not.
  private func earlier(before ticks: UInt64) -> EarlierCounts? {
    guard let start, window.firstGeneration == nil || ticks < window.base.ticks else { return nil }
    return EarlierCounts(before: ticks, window.base, start, siteCount: snapshot.sites.count)
  }
}

extension GraphState {
  /// The state at an instant before the window, derived from the entities that existed when the
  /// window began.
  func before(_ ticks: UInt64) -> GraphState {
    var state = self
    state.ticks = ticks
    state.gone = []
    state.entities = IDTable()
    for var entity in entities.values where entity.createdAt <= ticks {
      let isFresh = entity.lifeState == .created
      if entity.kind != .signal, entity.state != .active {
        entity.isLiveInUnknownState = entity.isLive == true
        entity.state = nil
      }
      if entity.count != 0 { entity.count = nil }
      if entity.kind != .signal || !isFresh { entity.depth = nil }
      if let last = entity.lastEventAt, last > ticks { entity.lastEventAt = nil }
      state.entities.set(entity, for: entity.key.id)
    }
    return state
  }

  /// Clears the properties that only records of events provide, for lines where these are missing.
  mutating func forgetEvents(but kept: EventCoverage) {
    for index in entities.values.indices
    where entities.values[index].kind != .signal && !kept.contains(entities.values[index].site) {
      entities.values[index].count = nil
      entities.values[index].lastEventAt = nil
      entities.values[index].depth = nil
    }
  }
}
