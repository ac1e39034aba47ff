import TraceReading

/// The counters of the site table whose changes can also be computed from records.
enum SiteCounter: Int, CaseIterable {
  case signalsCreated, signalsReleased, subscribed
  case completed, failed, cancelled, ownerGone, sourceGone
  case released, refused, disposablesReleased
  case timersArmed, timersEnded, timerFires
  case ownersCreated, ownersEnded
  case events

  init(_ reason: EndReason) {
    switch reason {
    case .completed: self = .completed
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .ownerGone: self = .ownerGone
    case .sourceGone: self = .sourceGone
    }
  }

  static let ends: [SiteCounter] = EndReason.allCases.map { SiteCounter($0) }

  /// Whether it is changed by records that level `graph` leaves out.
  var needsEvents: Bool { self == .events || self == .timerFires }

  /// The value of the counter in the site table.
  ///
  /// It does not include the events of live subscriptions, which are counted in the slab (the table
  /// of live entities).
  func value(in site: TraceSite) -> UInt64 {
    switch self {
    case .signalsCreated: site.signalsCreated
    case .signalsReleased: site.signalsReleased
    case .subscribed: site.subscribed
    case .completed: ended(.completed, site)
    case .failed: ended(.failed, site)
    case .cancelled: ended(.cancelled, site)
    case .ownerGone: ended(.ownerGone, site)
    case .sourceGone: ended(.sourceGone, site)
    case .released: site.released
    case .refused: site.refused
    case .disposablesReleased: site.disposablesReleased
    case .timersArmed: site.timersArmed
    case .timersEnded: site.timersEnded
    case .timerFires: site.timerFires
    case .ownersCreated: site.ownersCreated
    case .ownersEnded: site.ownersEnded
    case .events: site.eventsOfReleased
    }
  }

  private func ended(_ reason: EndReason, _ site: TraceSite) -> UInt64 {
    let index = Int(reason.rawValue)
    return index < site.ended.count ? site.ended[index] : 0
  }
}

/// Counters of all sites.
struct SiteCounts: Sendable, Equatable {
  private(set) var values: [UInt64]

  init(siteCount: Int) {
    values = [UInt64](repeating: 0, count: siteCount * SiteCounter.allCases.count)
  }

  /// The counters in the tables of a snapshot.
  init(_ snapshot: TraceSnapshot) {
    self.init(siteCount: snapshot.sites.count)
    for (index, site) in snapshot.sites.enumerated() {
      for counter in SiteCounter.allCases {
        add(counter.value(in: site), to: counter, of: UInt32(index))
      }
    }
    for slot in snapshot.slots where slot.kind == .subscription {
      add(slot.eventCount, to: .events, of: slot.site)
    }
  }

  mutating func add(_ count: UInt64 = 1, to counter: SiteCounter, of site: UInt32) {
    let index = Int(site) * SiteCounter.allCases.count + counter.rawValue
    if index < values.count { values[index] &+= count }
  }

  subscript(_ counter: SiteCounter, of site: UInt32) -> UInt64 {
    let index = Int(site) * SiteCounter.allCases.count + counter.rawValue
    return index < values.count ? values[index] : 0
  }
}
