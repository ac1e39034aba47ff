public import TraceModel
import TraceReading

extension FindingKind {
  /// A closure of a subscription holds the object that is to end the subscription, so that each
  /// keeps the other alive.
  public static let heldOwner = FindingKind(
    "kept-by-closure",
    "closure keeps its owner",
    needsAll: true,
    evidence: [.ownerHeld, .ownerBound],
    doubt:
      "Something else may release the closure, or it captures the object as unowned, which looks the same.",
    settledBy: [.time]
  )
}

/// Objects that are never released: each has a subscription in its bag, and a closure of that
/// subscription holds the object.
///
/// Something else may break the cycle, so the rule also requires that the number of objects grows.
enum HeldOwners: FindingRule {
  static let kinds: [FindingKind] = [.heldOwner]

  /// The minimum number of owners, if their subscriptions are known to grow in number.
  private static let minimumCount = 3
  /// The minimum number of owners otherwise.
  private static let few = 6

  /// An operator whose closure holds owners, and a line that makes these owners.
  private struct Pair: Hashable {
    var site: UInt32
    var owner: UInt32
  }

  private struct Cycle {
    var roots: [TraceSlot] = []
    var numbers: [UInt64] = []
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    var cycles: [Pair: Cycle] = [:]
    for record in facts.records where record.kind == .ownerHeld {
      guard let holding = record.ownerHolding, let root = facts.slot(record.entity),
        root.isLiveSubscription, root.createdAt <= record.ticks,
        root.owner == holding.owner.rawValue,
        let owner = facts.slot(holding.owner), owner.kind == .owner
      else { continue }
      let pair = Pair(site: holding.site, owner: owner.site)
      cycles[pair, default: Cycle()].roots.append(root)
      cycles[pair]?.numbers.append(record.number)
    }
    let pairs = cycles.keys.sorted { ($0.site, $0.owner) < ($1.site, $1.owner) }
    return pairs.compactMap { pair in cycles[pair].flatMap { draft(pair, $0, context) } }
      .worstOfEachLine
  }

  private static func draft(
    _ pair: Pair,
    _ cycle: Cycle,
    _ context: FindingContext
  ) -> FindingDraft? {
    let (facts, walk) = (context.facts, context.walk)
    let site = pair.site
    let owners = facts.slots.filter { $0.kind == .owner && $0.site == pair.owner }
    let isGrowing = cycle.roots.contains { context.isGrowing($0.site) }
    let survivors = Survivors(owners, facts)
    let ended = facts.site(pair.owner).ownersEnded
    guard
      isGrowing
        ? owners.count >= minimumCount : ended == 0 && keepSurviving(owners, survivors, facts)
    else { return nil }
    // The recorder examines only some closures. Other subscriptions made by the same calls are
    // assumed to have the same closures.
    let calls = Set(cycle.roots.map { Packing.pair(high: $0.site, low: $0.chain) })
    var bound: [TraceSlot] = []
    var kept: Set<UInt32> = []
    for slot in facts.slots where slot.isLiveSubscription && slot.owner != 0 {
      guard facts.slot(TraceID(rawValue: slot.owner))?.site == pair.owner else { continue }
      kept.insert(slot.site)
      if calls.contains(Packing.pair(high: slot.site, low: slot.chain)) { bound.append(slot) }
    }
    let row = facts.site(site)
    let place = facts.site(pair.owner).place
    let count = owners.count
    return FindingDraft(
      kind: .heldOwner,
      level: isGrowing ? .leak : .suspect,
      site: site,
      summary: "\(count) of \(place) kept, each by a closure given here",
      sentence:
        "A closure given to \(row.place) holds the object whose \(place) is to end the subscription, and the subscription holds the closure: neither "
        + "can be released. \(count) of these objects live, \(ended) \(ended == 1 ? "has" : "have") been released.",
      remedy:
        "Capture it weakly in the closure given to \(row.place): [weak self], also where a method "
        + "is given by its name; do nothing if it is captured as "
        + "unowned, which looks the same, and something else is to keep it.",
      evidence: Evidence(
        events: cycle.numbers,
        counters: [
          "owners alive \(count)", "owners released \(ended)", "looked at \(cycle.roots.count)",
        ]
      ),
      members: bound + owners,
      accused: bound,
      accusedStages: bound.map { AccusedRoot($0) },
      rank: Rank(
        growth: Double(survivors.counts.last ?? 0),
        live: UInt64(count),
        age: survivors.span
      ),
      upstreamChain: walk.chain(upstreamOf: site),
      restsOnRecords: true,
      explains: kept.union(context.growing.filter { isAlike($0, count, facts) }),
      claims: Set(owners.map(\.id))
    )
  }

  /// Whether some owners remain from each window of time.
  ///
  /// The windows reach to the end of the recording. Because the program may have done something
  /// else after it made the last owner, windows that end with that owner are accepted, too, if they
  /// cover half of the recording.
  private static func keepSurviving(
    _ owners: [TraceSlot],
    _ survivors: Survivors,
    _ facts: FindingFacts
  ) -> Bool {
    if survivors.rise(atLeast: few) { return true }
    let most = Survivors(owners, until: owners.map(\.createdAt).max(), facts)
    return most.rise(atLeast: few)
      && most.span * 2 >= facts.seconds(from: facts.start, to: facts.last)
  }

  /// Whether the number of owners at a growing line is a multiple or a divisor of the number of
  /// objects.
  private static func isAlike(_ site: UInt32, _ count: Int, _ facts: FindingFacts) -> Bool {
    let owners = LivingOwners(of: site, facts)
    guard owners.explain, count > 0 else { return false }
    return owners.count % count == 0 || count % owners.count == 0
  }
}
