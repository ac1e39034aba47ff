package import TraceReading

/// The state at one instant, with everything that is needed to make an ``Inspection`` of it.
package struct Moment: Sendable {
  package var state: GraphState
  package let snapshot: TraceSnapshot
  let instant: InstantInfo
  /// The time of the instant in ticks, to which ages are computed.
  let now: UInt64
  /// The number of records up to the instant.
  let recordCount: Int
  /// Whether the state is from the tables of the trace, including the slab (the table of live
  /// entities), rather than from records.
  let isEnd: Bool
  package let isExact: Bool
  /// The lines whose event counts are known; nil for all.
  var events: EventCoverage?
  /// Counters when the exact window (in which no record is missing) began; nil if it began with the
  /// recording.
  var start: Start?
  /// Counters of an instant before the window; nil if they are unknown.
  var earlier: EarlierCounts?

  struct Start: Sendable {
    var counts: [UInt64?]
    var scheduled: [UInt64?]
    var begun: [UInt64?]
    var cancelled: [UInt64?]

    /// Subtracts the changes made by the records of the window from the contents of the tables at
    /// the end.
    init(end: GraphState, moved: GraphState) {
      counts = end.counts.subtracting(moved.counts)
      scheduled = Self.subtract(moved.scheduled, from: end.scheduled)
      begun = Self.subtract(moved.begun, from: end.begun)
      cancelled = Self.subtract(moved.cancelled, from: end.cancelled)
    }

    func count(_ counter: SiteCounter, of site: UInt32) -> UInt64? {
      let index = Int(site) * SiteCounter.allCases.count + counter.rawValue
      return index < counts.count ? counts[index] : nil
    }

    private static func subtract(_ less: [UInt64], from total: [UInt64]) -> [UInt64?] {
      total.indices.map { row in
        let moved = row < less.count ? less[row] : 0
        return total[row] >= moved ? total[row] - moved : nil
      }
    }
  }

  /// The newest state of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - instant: The instant at its end.
  ///   - now: Ticks to which ages are computed, if the program is still running; nil for the last
  ///     sign of life.
  init(end snapshot: TraceSnapshot, instant: InstantInfo, now: UInt64? = nil) {
    state = GraphState(end: snapshot)
    state.addEnds(from: snapshot)
    self.snapshot = snapshot
    self.instant = instant
    self.now = max(now ?? 0, state.ticks)
    recordCount = snapshot.records.count
    isEnd = true
    isExact = true
  }

  init(
    state: GraphState,
    _ snapshot: TraceSnapshot,
    _ instant: InstantInfo,
    _ place: Timeline.Place,
    isExact: Bool
  ) {
    self.state = state
    self.snapshot = snapshot
    self.instant = instant
    now = place.ticks
    recordCount = place.count ?? snapshot.records.count
    isEnd = false
    self.isExact = isExact
  }

  // MARK: Counters

  func count(_ counter: SiteCounter, of site: UInt32) -> UInt64? {
    // If the window covers the whole recording, its records suffice, and the table is not needed.
    if isEnd || !isExact || start != nil, snapshot.site(site)?.isLost ?? false { return nil }
    if isEnd { return state.counts[counter, of: site] }
    guard isExact else { return earlier?[counter, of: site] }
    guard !counter.needsEvents || events?.contains(site) ?? true else { return nil }
    let moved = state.counts[counter, of: site]
    guard let start else { return moved }
    return start.count(counter, of: site).map { $0.saturatingAdding(moved) }
  }

  func work(
    _ moved: KeyPath<GraphState, [UInt64]>,
    _ before: KeyPath<Start, [UInt64?]>,
    of row: Int
  ) -> UInt64? {
    let values = state[keyPath: moved]
    guard row < values.count else { return nil }
    if isEnd || start != nil, snapshot.schedulers[row].isLost { return nil }
    if isEnd { return values[row] }
    guard isExact, events?.hasAny ?? true else { return nil }
    guard let start else { return values[row] }
    let first = start[keyPath: before]
    return row < first.count ? first[row].map { $0.saturatingAdding(values[row]) } : nil
  }

  // MARK: Time

  /// How many ticks before the instant something happened: ``age(_:)`` in a form suited to sorting.
  package func ticks(since ticks: UInt64?) -> Double? {
    guard let ticks, ticks > 0 else { return nil }
    return now > ticks ? Double(now - ticks) : 0
  }

  /// How long before the instant something happened; nil if it never did, and zero if it happened
  /// later.
  func age(_ ticks: UInt64?) -> Duration? {
    guard let ticks, ticks > 0 else { return nil }
    return max(.zero, snapshot.duration(from: ticks, to: now))
  }
}

extension SiteCounts {
  func subtracting(_ other: SiteCounts) -> [UInt64?] {
    values.indices.map { index in
      let less = index < other.values.count ? other.values[index] : 0
      return values[index] >= less ? values[index] - less : nil
    }
  }
}

extension TraceSnapshot {
  package func duration(from start: UInt64, to end: UInt64) -> Duration {
    let ticks = end >= start ? Double(end - start) : -Double(start - end)
    return .nanoseconds(Int64(max(-9e18, min(9e18, (ticks * nanosecondsPerTick).rounded()))))
  }

  /// The time from the beginning of the recording to an instant in ticks.
  package func time(_ ticks: UInt64) -> Duration { duration(from: header.start.ticks, to: ticks) }

  /// The ticks at a time since the recording began.
  package func ticks(at time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    let ticks = (nanoseconds / max(nanosecondsPerTick, 1e-6)).rounded()
    guard ticks > 0 else { return header.start.ticks }
    let (sum, overflow) = header.start.ticks.addingReportingOverflow(
      ticks >= 1.8e19 ? .max : UInt64(ticks)
    )
    return overflow ? .max : sum
  }
}
