public import TraceModel
import TraceReading

extension FindingKind {
  /// One line subscribes again and again to one signal.
  public static let observerLoop = FindingKind(
    "observers-in-a-loop",
    "one line subscribes again and again",
    evidence: [.subscribed, .disposableReleased]
  )
}

/// Many subscriptions made by one line to one and the same signal.
///
/// A line that runs once for each of several signals, or whose subscriptions are owned by different objects,
/// is no loop: cells and screens are like that.
enum ObserverLoops: FindingRule {
  static let kinds: [FindingKind] = [.observerLoop]

  /// Subscriptions to one signal, from which on a line is looked at.
  private static let many = 16
  /// The same where they were made in one go and nobody can end them.
  private static let burst = 8
  /// Seconds between two of one go.
  private static let gap = 0.002

  struct Group: Hashable {
    var site: UInt32
    var signal: UInt32
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var groups: [Group: [TraceSlot]] = [:]
    let lines = facts.sites.map { $0.traits.contains(.root) && $0.live >= UInt64(burst) }
    for slot in facts.slots where slot.isLiveSubscription && slot.signal != 0 {
      guard Int(slot.site) < lines.count, lines[Int(slot.site)],
        !context.isClaimed(TraceID(rawValue: slot.signal))
      else { continue }
      groups[Group(site: slot.site, signal: slot.signal), default: []].append(slot)
    }
    var claims: Set<TraceID> = []
    var worst: [UInt32: (members: [TraceSlot], inOneGo: Bool)] = [:]
    for (group, members) in groups where members.count >= burst {
      let members = members.sorted { $0.serial < $1.serial }
      guard !haveOwnersOfTheirOwn(members) else { continue }
      let rises = Survivors(members, facts).rise(atLeast: many + 1)
      guard rises || isDroppedInOneGo(members, facts) else { continue }
      if worst[group.site].map({ $0.members.count < members.count }) ?? true {
        worst[group.site] = (members, !rises)
      }
      claims.formUnion(members.map(\.id))
    }
    var found = worst.keys.sorted().compactMap { site in
      worst[site].map { draft(site, $0.members, inOneGo: $0.inOneGo, walk, facts) }
    }
    // Also those of a line that are not told of, for another of its signals has more.
    if !found.isEmpty { found[0].claims = claims }
    return found
  }

  private static func haveOwnersOfTheirOwn(_ members: [TraceSlot]) -> Bool {
    let owners = Set(members.map(\.owner).filter { $0 != 0 })
    return owners.count >= 2 && owners.count * 2 >= members.count
  }

  /// Whether they were made right after one another and nothing can end them any more.
  private static func isDroppedInOneGo(_ members: [TraceSlot], _ facts: FindingFacts) -> Bool {
    var longest = 1
    var run = 1
    for (one, next) in zip(members, members.dropFirst()) {
      run = facts.seconds(from: one.createdAt, to: next.createdAt) < gap ? run + 1 : 1
      longest = max(longest, run)
    }
    return longest >= burst && facts.isSettled(members[members.count - 1].createdAt)
      && Dropped(members, facts).count >= burst
  }

  /// How many disposables of some subscriptions of one line are gone: by their records, or else by the counters
  /// of the line, as many as there must be.
  private struct Dropped {
    var count: Int
    var numbers: [UInt64] = []

    init(_ members: [TraceSlot], _ facts: FindingFacts) {
      let released = facts.records(about: members) { $0 == .disposableReleased }
      count = released.count
      guard count < burst else {
        numbers = released.values.joined().map(\.number).sorted()
        return
      }
      let row = facts.site(members[0].site)
      // One that has ended accounts for one at most, and so does one of another group.
      let live = row.live - min(row.live, UInt64(members.count))
      let others = row.endedCount.saturatingAdding(live)
      count = row.disposablesReleased > others ? Int(clamping: row.disposablesReleased - others) : 0
    }
  }

  private static func draft(
    _ site: UInt32,
    _ members: [TraceSlot],
    inOneGo: Bool,
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let windows = Survivors(members, facts)
    let signal = facts.slot(TraceID(rawValue: members[0].signal)).map { facts.site($0.site).place }
    let what = signal ?? "one signal"
    let span = facts.seconds(
      from: members[0].createdAt,
      to: members[members.count - 1].createdAt
    )
    let dropped = inOneGo ? Dropped(members, facts) : nil
    return FindingDraft(
      kind: .observerLoop,
      site: site,
      summary: "\(members.count) live subscriptions to one signal",
      sentence: inOneGo
        ? "\(members.count) subscriptions were made here within \(Duration.seconds(span).brief), all to "
          + "\(what), and nothing can end them any more: \(dropped?.count ?? 0) of their disposables are gone."
        : "\(members.count) subscriptions made here to \(what) live at once, each of which gets every value, "
          + "and each quarter of \(Duration.seconds(windows.span).brief) left some: \(windows.text).",
      remedy:
        "Subscribe once, outside of what runs again and again, or dispose of the subscription before with a "
        + "SerialDisposable around \(row.place).",
      evidence: Evidence(
        events: dropped?.numbers ?? facts.births(of: members),
        counters: [
          "live on one signal \(members.count)", "of each quarter \(windows.text)",
          "subscribed \(row.subscribed)", "ended \(row.endedCount)",
        ]
      ),
      members: members,
      cap: dropped?.numbers.isEmpty ?? false
        ? "SUSPECT at most: the records of these disposables are not in this trace." : nil,
      rank: Rank(
        growth: inOneGo ? 0 : Double(windows.counts.last ?? 0),
        live: UInt64(members.count),
        age: facts.age(members[0].createdAt)
      ),
      upstreamChain: walk.chain(above: site),
      explains: [site]
    )
  }
}
