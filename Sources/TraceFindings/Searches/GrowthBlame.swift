import TraceModel
import TraceReading

/// Distinguishes the growing site that is to blame from the sites that only grow along with it.
///
/// Each stage of a chain lives as long as the subscription at its end, so the growing site furthest
/// downstream on a chain explains all other growing sites on it.
struct GrowthBlame {
  /// The site to blame, for every growing site.
  private let culprits: [UInt32: UInt32]

  /// The number of subscriptions of one site that are followed downstream; the others are assumed
  /// to be similar.
  private static let samples = 1000

  init(_ growing: Set<UInt32>, _ facts: FindingFacts) {
    var votes: [UInt32: [UInt32: Int]] = [:]
    var samples: [UInt32: Int] = [:]
    for slot in facts.slots where slot.isLiveSubscription && growing.contains(slot.site) {
      guard samples[slot.site, default: 0] < Self.samples else { continue }
      samples[slot.site, default: 0] += 1
      votes[slot.site, default: [:]][Self.furthest(from: slot, growing, facts), default: 0] += 1
    }
    // If a site has no live subscription to follow, a root that grows is blamed, if there is one.
    let roots = growing.filter { facts.site($0).traits.contains(.root) }
    culprits = growing.reduce(into: [:]) { culprits, site in
      let most = votes[site]?.max { ($0.value, $1.key) < ($1.value, $0.key) }
      culprits[site] = most?.key ?? (roots.contains(site) ? site : roots.min() ?? site)
    }
  }

  /// The growing site furthest downstream of a subscription, or its own site if there is none.
  private static func furthest(
    from slot: TraceSlot,
    _ growing: Set<UInt32>,
    _ facts: FindingFacts
  ) -> UInt32 {
    var furthest = slot.site
    var here = slot
    var left = 512
    while left > 0, here.link != .none, let next = facts.slot(here.link),
      next.kind == .subscription
    {
      if growing.contains(next.site) { furthest = next.site }
      here = next
      left -= 1
    }
    return furthest
  }

  /// The site to blame for the growth of a site.
  func culprit(of site: UInt32) -> UInt32 {
    var here = site
    var seen: Set<UInt32> = []
    while let next = culprits[here], next != here, seen.insert(here).inserted { here = next }
    return here
  }

  /// The number of other sites that grow because this one does.
  func consequences(of site: UInt32) -> Int {
    culprits.keys.count { $0 != site && culprit(of: $0) == site }
  }
}

/// The records that show the creation of the live subscriptions of the given sites.
struct Creations {
  private var numbers: [UInt32: [UInt64]] = [:]
  private var oldest: [UInt32: UInt64] = [:]

  init(of sites: Set<UInt32>, _ facts: FindingFacts) {
    guard !sites.isEmpty else { return }
    var serials: [TraceID: UInt64] = [:]
    for slot in facts.slots where slot.isLiveSubscription && sites.contains(slot.site) {
      serials[slot.id] = slot.serial
      oldest[slot.site] = min(oldest[slot.site] ?? .max, slot.createdAt)
    }
    for record in facts.records where record.kind == .subscribed {
      guard sites.contains(record.argument), let creation = record.subscribing,
        serials[record.entity] == creation.serial
      else { continue }
      numbers[creation.site, default: []].append(record.number)
    }
  }

  func events(of site: UInt32) -> [UInt64] { (numbers[site] ?? []).sorted() }
  func oldest(of site: UInt32) -> UInt64? { oldest[site] }
}
