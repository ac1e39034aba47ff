import TraceReading

/// What a recording contains besides lifetimes in the stretch in which no record is missing.
package struct RecordedParts: Sendable {
  /// Whether the stretch contains every event of every line.
  package var hasEveryEvent = true
  /// When single events were recorded, for the lines without a level of their own; within the
  /// stretch.
  package var events: [ClosedRange<Duration>] = []
  /// Whether ``events`` covers the whole stretch.
  private var isWhole = true
  /// Whether nothing at all was recorded in parts of the stretch, because the level was `off`.
  private var hasPauses = false
  /// Whether there are lines whose own level includes single events.
  private var hasPlacesWithEvents = false

  init() {}

  init(_ snapshot: TraceSnapshot, _ window: ClosedRange<Duration>) {
    let first = snapshot.ticks(at: window.lowerBound)
    let last = snapshot.lastTicks
    let stretches = EventStretches(snapshot)
    isWhole = stretches.contains(from: first, to: last)
    events = stretches.clamped(from: first, to: last).map {
      let start = max(window.lowerBound, snapshot.time($0.lowerBound))
      return start...max(start, snapshot.time($0.upperBound))
    }
    hasPauses = !EventStretches(snapshot, atLeast: .graph).contains(from: first, to: last)
    hasPlacesWithEvents = snapshot.hasPlacesWithEvents
    let row = snapshot.records.count(before: first)
    hasEveryEvent =
      !hasPauses && EventCoverage(snapshot, from: row, ofWhole: isWhole).isComplete
  }

  /// What is there of the stretch: `every event of the last 14 s is there`, or `lifetimes of the
  /// last 14 s are there, single events only of the first 140 ms`.
  package func sentence(_ window: ClosedRange<Duration>) -> String {
    let span = Quantity.duration(window.upperBound - window.lowerBound)
    if hasEveryEvent { return "every event of the last \(span) is there" }
    let pauses = hasPauses ? " except while the level was 'off'" : ""
    if isWhole, !hasPauses {
      return "every event of the last \(span) is there, "
        + "except of lines whose place has a lower level"
    }
    return "lifetimes of the last \(span) are there\(pauses), \(eventsClause(window))"
  }

  /// Which single events are there: `single events only of the first 140 ms`.
  private func eventsClause(_ window: ClosedRange<Duration>) -> String {
    let places = "lines whose place has a higher level"
    guard !events.isEmpty else {
      return hasPlacesWithEvents ? "single events only of \(places)" : "but no single event"
    }
    let times = Self.list(events.map { Self.name($0, in: window) })
    return "single events only of \(times)\(hasPlacesWithEvents ? " and of \(places)" : "")"
  }

  private static func name(
    _ stretch: ClosedRange<Duration>,
    in window: ClosedRange<Duration>
  ) -> String {
    let span = Quantity.duration(stretch.upperBound - stretch.lowerBound)
    if stretch.lowerBound == .zero { return "the first \(span)" }
    if stretch.upperBound >= window.upperBound { return "the last \(span)" }
    return "\(span) from \(Quantity.moment(stretch.lowerBound)) on"
  }

  private static func list(_ texts: [String]) -> String {
    guard texts.count > 3 else {
      let last = texts.last ?? ""
      return texts.count < 2 ? last : texts.dropLast().joined(separator: ", ") + " and " + last
    }
    return "\(texts[0]) and \(texts.count - 1) later stretches"
  }
}
