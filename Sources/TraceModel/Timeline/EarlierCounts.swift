import TraceReading

/// Counters of timers and owners at an instant before the window.
///
/// Where no entity of a line had ended when the window began, those that existed then are all there
/// had ever been, and each has its time of creation. The counters of other lines are unknown.
struct EarlierCounts: Sendable {
  private let start: Moment.Start
  /// What existed when the window began, by line and by the counter that its creation increases.
  private var present: SiteCounts
  /// How much of that was made before the instant.
  private var earlier: SiteCounts

  /// O(entities).
  init(before ticks: UInt64, _ base: GraphState, _ start: Moment.Start, siteCount: Int) {
    self.start = start
    present = SiteCounts(siteCount: siteCount)
    earlier = present
    // One made at that very tick, or without a time, is left out: its line is then unknown.
    for entity in base.entities.values where entity.createdAt != ticks && entity.createdAt > 0 {
      guard let counter = Self.making(of: entity.kind) else { continue }
      present.add(to: counter, of: entity.site)
      if entity.createdAt < ticks { earlier.add(to: counter, of: entity.site) }
    }
  }

  /// The counter of a line; nil where it is unknown.
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
