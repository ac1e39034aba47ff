package import TraceReading

/// The lines of code for which no event is missing, in a stretch that reaches to the end of a
/// trace.
package struct EventCoverage: Sendable {
  /// Whether no event is missing for the lines that are recorded at the level of the whole
  /// recording.
  private let ofWhole: Bool
  /// The lines whose module or file has a level of its own, by row, each with whether none of its
  /// events is missing.
  private let places: [UInt32: Bool]
  /// Whether no event is missing for any line.
  package let isComplete: Bool

  /// Finds the lines.
  ///
  /// - Parameters:
  ///   - snapshot: The trace.
  ///   - row: The first record of the stretch.
  ///   - ofWhole: Whether the level of the recording included events during the whole stretch.
  init(_ snapshot: TraceSnapshot, from row: Int, ofWhole: Bool) {
    var places: [UInt32: Bool] = [:]
    for (row, site) in snapshot.sites.enumerated() {
      // If a site is lost, so is its level.
      let level = site.isLost && !snapshot.header.places.isEmpty ? .graph : site.level
      if let level { places[UInt32(row)] = level >= .events }
    }
    // The level of the recording does not apply to lines with a level of their own, except that
    // nothing at all is recorded while it is `off`.
    if places.values.contains(true),
      snapshot.header.level == .off || !snapshot.isLevelKept(.graph, from: row)
    {
      places = places.mapValues { _ in false }
    }
    self.ofWhole = ofWhole
    self.places = places
    isComplete =
      places.isEmpty
      ? ofWhole
      : snapshot.sites.indices.dropFirst().allSatisfy { places[UInt32($0)] ?? ofWhole }
  }

  /// Whether no event of a line is missing.
  package func contains(_ site: UInt32) -> Bool { places[site] ?? ofWhole }

  /// Whether there is a line for which no event is missing.
  ///
  /// If there is, all work of schedulers is recorded, too.
  package var hasAny: Bool { ofWhole || places.values.contains(true) }
}

extension TraceSnapshot {
  /// The lines of code whose events were recorded from beginning to end, without interruption.
  ///
  /// - Complexity: O(records) at most.
  package var eventCoverage: EventCoverage {
    EventCoverage(self, from: 0, ofWhole: hasEventsOfWhole)
  }

  private var hasEventsOfWhole: Bool {
    guard header.startLevel != .graph, header.level != .graph, isLevelKept(.events, from: 0) else {
      return false
    }
    // If an inspector has raised the level from `graph`, events were left out before that, and the
    // record that says so may have been overwritten.
    return header.baseLevel != .graph || header.recycledSegments == 0
  }

  /// Whether no record since a row shows that the level of the recording was below `least`.
  func isLevelKept(_ least: TraceLevel, from row: Int) -> Bool {
    records.firstRow(of: RecordKinds(.levelChanged), from: row) { $0.id < least.rawValue } == nil
  }

  /// The level at which a line of code is recorded now.
  package func level(ofSite row: UInt32) -> TraceLevel {
    guard header.level != .off, Int(row) < sites.count else { return header.level }
    return sites[Int(row)].level ?? header.level
  }

  /// The lowest level at which any line of code is recorded now.
  package var lowestLevel: TraceLevel {
    header.level == .off ? .off : min(header.level, sites.compactMap(\.level).min() ?? .values)
  }

  /// The highest level at which any line of code is recorded now.
  package var highestLevel: TraceLevel {
    header.level == .off ? .off : max(header.level, sites.compactMap(\.level).max() ?? .off)
  }
}
