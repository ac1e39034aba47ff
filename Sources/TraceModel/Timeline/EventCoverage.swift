package import TraceReading

/// Of which lines of code every single event is there, in a stretch that reaches to the end of a trace.
package struct EventCoverage: Sendable {
  /// Of those whose place has no level of its own.
  private let ofWhole: Bool
  /// Of the others, by row.
  private let places: [UInt32: Bool]
  /// Whether of all lines.
  package let isComplete: Bool

  /// - Parameters:
  ///   - snapshot: The trace.
  ///   - row: The record that the stretch begins with.
  ///   - ofWhole: Whether the level of the whole allowed for single events all the time.
  init(_ snapshot: TraceSnapshot, from row: Int, ofWhole: Bool) {
    var places: [UInt32: Bool] = [:]
    for (row, site) in snapshot.sites.enumerated() {
      // Of one that is lost, its level is, too.
      let level = site.isLost && !snapshot.header.places.isEmpty ? .graph : site.level
      if let level { places[UInt32(row)] = level >= .events }
    }
    // The level of the whole means nothing to them, unless nothing was recorded at all.
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

  /// Whether of a line.
  package func contains(_ site: UInt32) -> Bool { places[site] ?? ofWhole }

  /// Whether of any line: then all work of schedulers is there, too.
  package var hasAny: Bool { ofWhole || places.values.contains(true) }
}

extension TraceSnapshot {
  /// Of which lines of code single events were recorded from beginning to end, and not left out for a while.
  ///
  /// - Complexity: O(records) at most.
  package var eventCoverage: EventCoverage {
    EventCoverage(self, from: 0, ofWhole: hasEventsOfWhole)
  }

  private var hasEventsOfWhole: Bool {
    guard header.startLevel != .graph, header.level != .graph, isLevelKept(.events, from: 0) else {
      return false
    }
    // What is overwritten may have told that they were left out, where an inspector has raised the level again.
    return header.baseLevel != .graph || header.recycledSegments == 0
  }

  /// Whether no record from a row on tells that the level of the whole was lower.
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
