import TraceModel
import TraceReading

/// The owners of the live subscriptions of a site whose number grows.
///
/// If each subscription has an owner of its own and all these owners are live, the growth is not
/// caused by forgotten disposables, but by objects that are never released.
struct LivingOwners {
  /// The number of live owners.
  private(set) var count = 0
  /// The place in the code where the owners were made.
  private(set) var place = ""
  private(set) var sites: Set<UInt32> = []
  /// Whether the owners explain the growth: most subscriptions have a separate owner, and all
  /// owners were made at one line.
  private(set) var explain = false
  /// When the first subscription was bound to each owner, in order.
  private var creations: [UInt64] = []

  init(of site: UInt32, _ facts: FindingFacts) {
    var live = 0
    var owners: Set<UInt32> = []
    for slot in facts.slots where slot.site == site && slot.isLiveSubscription {
      live += 1
      if slot.owner != 0 { owners.insert(slot.owner) }
    }
    let alive = owners.compactMap { facts.slot(TraceID(rawValue: $0)) }.filter { $0.kind == .owner }
    let places = Set(alive.map { facts.site($0.site).place })
    sites = Set(alive.map(\.site))
    count = alive.count
    creations = alive.map(\.createdAt).sorted()
    place = places.sorted().first ?? ""
    explain = alive.count >= 2 && places.count == 1 && alive.count * 2 > live
  }

  /// Whether `others` were made along with the owners, judged by the times.
  ///
  /// There must be the same number of them for each owner: either all made after the previous owner
  /// and before their own, or all made after their own and before the next.
  ///
  /// An object may also make subscriptions that it does not put into its bag, such as those inside
  /// an action or a property.
  func wereMadeWith(_ others: [TraceSlot]) -> Bool {
    guard creations.count >= 3, others.count >= creations.count, others.count % creations.count == 0
    else {
      return false
    }
    let size = others.count / creations.count
    let times = others.map(\.createdAt).sorted()
    let isBefore = creations.indices.allSatisfy { place in
      times[place * size + size - 1] <= creations[place]
        && (place == 0 || times[place * size] > creations[place - 1])
    }
    let isBehind = creations.indices.allSatisfy { place in
      times[place * size] >= creations[place]
        && (place + 1 == creations.count || times[place * size + size - 1] < creations[place + 1])
    }
    return isBefore || isBehind
  }
}
