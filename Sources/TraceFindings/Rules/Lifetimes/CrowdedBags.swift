public import TraceModel
import TraceReading

extension FindingKind {
  /// A bag of disposables is filled and never emptied.
  public static let crowdedBag = FindingKind(
    "bag-never-emptied",
    "bag that is never emptied",
    evidence: [.ownerBound],
    doubt: "It may be emptied when something ends that has not ended yet.",
    settledBy: [.marks, .time]
  )
}

/// A bag of disposables that is filled and never emptied.
///
/// Subscriptions that end remove themselves from their bag, so only live ones are counted.
enum CrowdedBags: FindingRule {
  static let kinds: [FindingKind] = [.crowdedBag]

  /// A bag is examined if it contains at least this many live subscriptions.
  private static let many = 32

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let bags = Set(
      facts.slots.filter { $0.kind == .owner && $0.depth >= many }.map { $0.id.rawValue }
    )
    guard !bags.isEmpty else { return [] }
    var members: [UInt32: [TraceSlot]] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.owner != 0 {
      guard bags.contains(slot.owner), !context.isClaimed(slot.id) else { continue }
      members[slot.owner, default: []].append(slot)
    }
    var worst: [UInt32: (bag: TraceSlot, members: [TraceSlot])] = [:]
    for (owner, members) in members where members.count >= many {
      guard let bag = facts.slot(TraceID(rawValue: owner)), bag.kind == .owner,
        Survivors(members, since: bag.createdAt, facts).rise(atLeast: many)
      else { continue }
      if worst[bag.site].map({ $0.members.count < members.count }) ?? true {
        worst[bag.site] = (bag, members)
      }
    }
    guard !worst.isEmpty else { return [] }
    let live = facts.slots.reduce(into: [UInt32: Int]()) { counts, slot in
      if slot.isLiveSubscription { counts[slot.site, default: 0] += 1 }
    }
    return worst.keys.sorted().compactMap { site in
      worst[site].map { draft($0.bag, $0.members, live, facts) }
    }
    .worstOfEachLine
  }

  private static func draft(
    _ bag: TraceSlot,
    _ members: [TraceSlot],
    _ live: [UInt32: Int],
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(bag.site)
    let windows = Survivors(members, since: bag.createdAt, facts)
    let sites = members.reduce(into: [UInt32: Int]()) { $0[$1.site, default: 0] += 1 }
    let most = sites.max { ($0.value, $1.key) < ($1.value, $0.key) }
    let from = most.map { facts.site($0.key).place } ?? "?"
    let bound = facts.records(about: members) { $0 == .ownerBound }.values.joined()
      .filter { $0.argument == bag.id.rawValue }.map(\.number).sorted()
    // If one line fills the bag, that line has to change; if several lines do, the code that should
    // empty the bag has to change.
    let filler = most.flatMap { $0.value * 5 >= members.count * 4 ? $0.key : nil }
    return FindingDraft(
      kind: .crowdedBag,
      site: filler ?? bag.site,
      subject: bag.key,
      summary: "\(members.count) live of \(bag.eventCount) ever put into it",
      sentence:
        "\(members.count) of the \(bag.eventCount) subscriptions ever put into \(row.place) live, most of them "
        + "from \(from), and some from each quarter of the last "
        + "\(Duration.seconds(windows.span).brief) remain: "
        + "\(windows.text).",
      remedy: filler == nil
        ? "Empty \(row.place) when what its subscriptions were made for is over, or give each round, screen "
          + "or request a bag of its own."
        : "Keep what \(from) returns in a bag of the object that it was made for, or empty "
          + "\(row.place) when that is over.",
      evidence: Evidence(
        events: bound,
        counters: [
          "live in the bag \(members.count)", "ever in the bag \(bag.eventCount)",
          "of each quarter \(windows.text)",
        ]
      ),
      members: [bag] + members,
      accused: filler.map { site in members.filter { $0.site == site } },
      rank: Rank(
        growth: Double(windows.counts.last ?? 0),
        live: UInt64(members.count),
        age: facts.age(bag.createdAt)
      ),
      // The finding explains a line if most of the live subscriptions of that line are in the bag.
      explains: Set(sites.filter { $0.value * 2 > live[$0.key] ?? 0 }.keys)
    )
  }
}
