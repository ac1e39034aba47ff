import TraceReading

/// Counters of timers and owners at an instant before the exact window, which is the stretch at the
/// end of a trace in which no record is missing.
///
/// If none of a line's timers or owners had ended when the exact window began, those that existed
/// then are all that the line had ever made, and their times of creation give the counters of
/// earlier instants. The counters of other lines are unknown.
struct EarlierCounts: Sendable {
  private let start: Moment.Start
  /// The number of entities that existed when the window began, by line and by the counter that
  /// their creation increases.
  private var present: SiteCounts
  /// The number of those entities that were made before the instant, counted in the same way.
  private var earlier: SiteCounts

  /// Counts the entities that existed when the window began.
  ///
  /// - Complexity: O(entities).
  init(before ticks: UInt64, _ base: GraphState, _ start: Moment.Start, siteCount: Int) {
    self.start = start
    present = SiteCounts(siteCount: siteCount)
    earlier = present
    // An entity made at exactly that tick, or at an unknown time, is left out, so that the counters
    // of its line are unknown.
    for entity in base.entities.values where entity.createdAt != ticks && entity.createdAt > 0 {
      guard let counter = Self.making(of: entity.kind) else { continue }
      present.add(to: counter, of: entity.site)
      if entity.createdAt < ticks { earlier.add(to: counter, of: entity.site) }
    }
  }

  /// The counter of a line; nil if it is unknown.
  subscript(_ counter: SiteCounter, of site: UInt32) -> UInt64? {
    switch counter {
    case .timersArmed: made(.timersArmed, .timersEnded, site)
    case .timersEnded: made(.timersArmed, .timersEnded, site).map { _ in 0 }
    case .ownersCreated: made(.ownersCreated, .ownersEnded, site)
    case .ownersEnded: made(.ownersCreated, .ownersEnded, site).map { _ in 0 }
    default: nil
    }
  }

  private func made(_ counter: SiteCounter, _ ended: SiteCounter, _ site: UInt32) -> UInt64? {
    guard start.count(ended, of: site) == 0,
      start.count(counter, of: site) == present[counter, of: site]
    else { return nil }
    return earlier[counter, of: site]
  }

  private static func making(of kind: EntityKind) -> SiteCounter? {
    switch kind {
    case .timer: .timersArmed
    case .owner: .ownersCreated
    default: nil
    }
  }
}
