public import TraceModel
import TraceReading

extension FindingKind {
  /// One line subscribes again and again to one signal.
  public static let observerLoop = FindingKind(
    "observers-in-a-loop",
    "one line subscribes again and again",
    evidence: [.subscribed, .disposableReleased],
    doubt: "Only the author of the code knows whether each of them has something of its own to do.",
    settledBy: [.marks, .callers, .time]
  )
}

/// Many subscriptions that one line made to the same signal.
///
/// A line that subscribes once to each of several signals, or whose subscriptions have different
/// owners, is not reported, because the code of table cells and screens normally does so.
enum ObserverLoops: FindingRule {
  static let kinds: [FindingKind] = [.observerLoop]

  /// A line is accused if it has more than this number of subscriptions to one signal.
  private static let many = 16
  /// The minimum number of subscriptions that were made in one burst and can no longer be ended.
  private static let burst = 8
  /// The maximum number of seconds between two adjacent subscriptions of one burst.
  private static let gap = 0.002
  /// The minimum number of subscriptions that one call made for one owner.
  private static let minimumForOwner = 5
  /// The minimum number of seconds between two subscriptions that one call made for one owner.
  private static let apart = 0.02

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
      guard !haveDistinctOwners(members) else { continue }
      let rises = Survivors(members, facts).rise(atLeast: many + 1)
      guard rises || isAbandonedBurst(members, walk, facts) else { continue }
      if worst[group.site].map({ $0.members.count < members.count }) ?? true {
        worst[group.site] = (members, !rises)
      }
      claims.formUnion(members.map(\.id))
    }
    var found = worst.keys.sorted().compactMap { site in
      worst[site].map { draft(site, $0.members, inOneGo: $0.inOneGo, walk, facts) }
    }
    found += again(except: Set(found.map(\.site)), context)
    // The claims include the subscriptions of a line to a signal that is not reported because
    // another signal of the same line has more.
    if !found.isEmpty { found[0].claims = claims }
    return found
  }

  // MARK: Repeated for one owner

  private struct Repeat: Hashable {
    var site: UInt32
    var chain: UInt32
    var owner: UInt32
    var signal: UInt32
  }

  /// Subscriptions that one call makes again and again for the same owner, at different times.
  ///
  /// None of them has ended, and all of them lead to one signal.
  private static func again(
    except reported: Set<UInt32>,
    _ context: FindingContext
  ) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    let lines = facts.sites.map { $0.traits.contains(.root) && $0.live >= UInt64(minimumForOwner) }
    var groups: [Repeat: [TraceSlot]] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.owner != 0 && slot.chain != 0 {
      guard Int(slot.site) < lines.count, lines[Int(slot.site)], !reported.contains(slot.site),
        !context.isAccused(slot.site)
      else { continue }
      let source = walk.furthest(upstreamOf: slot)
      guard facts.site(source.site).traits.contains(.hot), source.signal != 0 else { continue }
      let key = Repeat(site: slot.site, chain: slot.chain, owner: slot.owner, signal: source.signal)
      groups[key, default: []].append(slot)
    }
    groups = groups.filter { $0.value.count >= minimumForOwner }
    guard !groups.isEmpty, let histories = context.histories else { return [] }
    var ended: Set<UInt64> = []
    for one in histories.all where !one.isLive {
      ended.insert(Packing.pair(high: one.site, low: one.chain))
    }
    return groups.sorted { ($0.key.site, $0.key.chain) < ($1.key.site, $1.key.chain) }
      .compactMap { key, slots -> FindingDraft? in
        let members = slots.sorted { $0.serial < $1.serial }
        let areApart = zip(members, members.dropFirst()).allSatisfy {
          facts.seconds(from: $0.createdAt, to: $1.createdAt) >= apart
        }
        guard areApart, !ended.contains(Packing.pair(high: key.site, low: key.chain)),
          members.dropLast().allSatisfy({ $0.eventCount > 0 })
        else { return nil }
        let row = facts.site(key.site)
        let source = facts.site(walk.furthest(upstreamOf: members[0]).site).place
        let owner = facts.slot(TraceID(rawValue: key.owner)).map { facts.site($0.site).place }
        return FindingDraft(
          kind: .observerLoop,
          site: key.site,
          summary: "\(members.count) live for one owner, to one signal",
          sentence:
            "\(members.count) subscriptions were made here for one owner\(owner.map { ", \($0)" } ?? ""), one after the other, all to \(source), and none has ended: each value is handled "
            + "once for each of them.",
          remedy:
            "Subscribe once, when the owner is made, or end each with its first value (take(1)); "
            + "do nothing if each at \(row.place) is for something of its own.",
          evidence: Evidence(
            events: facts.creations(of: members),
            counters: ["live for one owner \(members.count)", "subscribed \(row.subscribed)"]
          ),
          members: members,
          accused: Array(members.dropFirst()),
          rank: Rank(live: UInt64(members.count), age: facts.age(members[0].createdAt)),
          upstreamChain: walk.chain(upstreamOf: key.site),
          explains: [key.site]
        )
      }
      .worstOfEachLine
  }

  private static func haveDistinctOwners(_ members: [TraceSlot]) -> Bool {
    let owners = Set(members.map(\.owner).filter { $0 != 0 })
    return owners.count >= 2 && owners.count * 2 >= members.count
  }

  /// Whether enough of the subscriptions were made in one burst, and only their source can still end
  /// them.
  private static func isAbandonedBurst(
    _ members: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> Bool {
    var longest = 1
    var run = 1
    for (one, next) in zip(members, members.dropFirst()) {
      run = facts.seconds(from: one.createdAt, to: next.createdAt) < gap ? run + 1 : 1
      longest = max(longest, run)
    }
    return longest >= burst && facts.isSettled(members[members.count - 1].createdAt)
      && Dropped(members, facts).count >= burst
      && members.allSatisfy { walk.endlessSource(upstreamOf: $0) != nil }
  }

  /// The number of released disposables of the given subscriptions of one line: as recorded, or
  /// else the minimum that follows from the counters of the line.
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
      // Every ended subscription, and every subscription of another group, may have released one
      // disposable.
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
    let span = facts.seconds(from: members[0].createdAt, to: members[members.count - 1].createdAt)
    let dropped = inOneGo ? Dropped(members, facts) : nil
    return FindingDraft(
      kind: .observerLoop,
      site: site,
      summary: "\(members.count) live subscriptions to one signal",
      sentence: inOneGo
        ? "\(members.count) subscriptions were made here within \(Duration.seconds(span).brief), all to "
          + "\(what). \(dropped?.count ?? 0) of their disposables are gone, so that only its completion could still end these."
        : "\(members.count) subscriptions made here to \(what) live at once, each of which gets every value, "
          + "and some from each quarter of the last \(Duration.seconds(windows.span).brief) "
          + "remain: \(windows.text).",
      remedy:
        "Subscribe once, outside of what runs again and again, or dispose of the previous "
        + "subscription with a SerialDisposable around \(row.place).",
      evidence: Evidence(
        events: dropped?.numbers ?? facts.creations(of: members),
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
      upstreamChain: walk.chain(upstreamOf: site),
      explains: [site]
    )
  }
}
