public import TraceModel
import TraceReading

extension FindingKind {
  /// The only disposable of a subscription that never ends by itself was released.
  public static let droppedDisposable = FindingKind(
    "disposable-dropped",
    "disposable dropped on an endless signal",
    evidence: [.disposableReleased],
    doubt: "Only the author of the code knows whether it is to last as long as the program.",
    settledBy: [.callers]
  )
}

/// Subscriptions that never end by themselves, and whose only disposable was released.
///
/// A single subscription of a call is not reported, because it is probably meant to last as long as
/// the program. Two that a loop makes at once may be meant so, too, and are an INFO.
struct DroppedDisposables: FindingRule {
  static let kinds: [FindingKind] = [.droppedDisposable]

  let site: UInt32
  let level: FindingLevel
  let upstreamChain: [String]
  let cap: String?
  let subject: EntityKey?
  let members: [TraceSlot]
  private let row: TraceSite
  private let source: TraceSite
  /// The number of live subscriptions whose disposable was released.
  private let dropped: UInt64
  /// The number of other subscriptions whose disposable was released, but which are so young that
  /// they may be about to end.
  private let younger: Int
  private let isGrowing: Bool
  private let events: [UInt64]
  private let age: Double

  /// The maximum number of seconds between two subscriptions that a loop makes at once.
  private static let atOnce = 0.005

  // MARK: Search

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    let suspects = facts.sites.indices.filter { row in
      let site = facts.sites[row]
      return site.traits.contains(.root) && site.disposablesReleased > 0 && site.live > 0
    }
    guard !suspects.isEmpty else { return [] }
    var roots: [UInt32: [TraceSlot]] = [:]
    var young: [UInt32: [TraceSlot]] = [:]
    let sites = Set(suspects.map { UInt32($0) })
    for slot in facts.slots where slot.isLiveSubscription && sites.contains(slot.site) {
      // A subscription that is bound to an owner ends with it.
      guard slot.owner == 0 else { continue }
      if facts.isSettled(slot.createdAt) {
        roots[slot.site, default: []].append(slot)
      } else {
        young[slot.site, default: []].append(slot)
      }
    }
    let releases = Releases(of: [roots, young], facts)
    let calls = SubscriptionsByCall(at: sites, facts)
    return sites.sorted().compactMap { site in
      if context.isExplained(site) { return nil }
      let younger = (young[site] ?? []).count { releases.number(of: $0) != nil }
      return DroppedDisposables(
        site,
        roots[site] ?? [],
        younger: younger,
        releases,
        calls,
        walk,
        isGrowing: context.isGrowing(site),
        facts
      )?.draft
    }
  }

  private init?(
    _ site: UInt32,
    _ roots: [TraceSlot],
    younger: Int,
    _ releases: Releases,
    _ calls: SubscriptionsByCall,
    _ walk: UpstreamWalk,
    isGrowing: Bool,
    _ facts: FindingFacts
  ) {
    row = facts.site(site)
    let all = roots.filter { releases.number(of: $0) != nil }
    // A subscription whose call stack made no other may be meant to last as long as the program.
    let repeated = all.filter { calls.count(of: $0, facts) != 1 }
    let known = repeated.isEmpty ? all : repeated
    let isSubscribedOnce = row.subscribed == 1 || repeated.isEmpty && !all.isEmpty
    if isSubscribedOnce, !isGrowing { return nil }
    // Every ended subscription may have released one disposable.
    let ended = row.endedCount
    let counted = row.disposablesReleased > ended ? row.disposablesReleased - ended : 0
    // Subscriptions for which a record shows the release are preferred. Without records, the
    // counters give a minimum: all young subscriptions may have released their disposables as well.
    let young = row.live > UInt64(roots.count) ? row.live - UInt64(roots.count) : 0
    let least = max(UInt64(known.count), counted > young ? counted - young : 0)
    guard least > 0 else { return nil }
    let endless = (known.isEmpty ? roots : known).compactMap { root in
      walk.endlessSource(upstreamOf: root).map { (root, $0) }
    }
    guard let first = endless.min(by: { $0.1.place < $1.1.place }) else { return nil }
    self.site = site
    self.younger = younger
    source = first.1
    dropped = known.isEmpty ? min(least, UInt64(endless.count)) : max(UInt64(endless.count), 1)
    cap =
      UInt64(all.count) < least
      ? "the records of when some of these were dropped are not in this trace: there may be more."
      : nil
    self.isGrowing = isGrowing
    let times = endless.map(\.0.createdAt)
    let isPair =
      endless.count == 2 && row.subscribed == 2
      && facts.seconds(from: times.min() ?? 0, to: times.max() ?? 0) < Self.atOnce
    level = isGrowing ? .leak : isPair ? .info : .suspect
    subject = endless.count == 1 ? first.0.key : nil
    members = endless.map(\.0)
    events = endless.compactMap { releases.number(of: $0.0) }.sorted()
    age = endless.map { facts.age($0.0.createdAt) }.max() ?? 0
    upstreamChain = walk.chain(upstreamOf: site)
  }

  private var draft: FindingDraft {
    FindingDraft(
      kind: .droppedDisposable,
      level: level,
      site: site,
      subject: subject,
      summary: summary,
      sentence: sentence,
      remedy: remedy,
      evidence: evidence,
      members: members,
      cap: cap,
      rank: rank,
      upstreamChain: upstreamChain,
      role: .symptom,
      ruledOut: [
        "one that ends by itself: \(source.place) does not, and no operator in front of \(row.place) completes it",
        "one that its owner ends: none of them is bound to one",
        "one that is about to end: only those are counted that have lived for five seconds, or for half of the recording",
      ]
    )
  }

  // MARK: Texts

  var summary: String {
    "\(dropped) live without a disposable, on the endless \(source.place)"
  }

  var sentence: String {
    let what = dropped == 1 ? "subscription made here lives" : "subscriptions made here live"
    let whose = dropped == 1 ? "its disposable is" : "their disposables are"
    return
      "\(dropped) \(what) on although \(whose) gone, and \(source.place) does not end by itself: only "
      + "its completion, its release, a failure, or the release of a binding's target could still end "
      + (dropped == 1 ? "it" : "them")
      + (isGrowing
        ? ", and their number grows." : events.isEmpty ? ", according to the counters." : ".")
  }

  var remedy: String {
    "Keep the disposable returned by \(row.place) and dispose of it when it is not needed any "
      + "more, or end the signal with take(until:)."
  }

  var evidence: Evidence {
    Evidence(
      events: events,
      counters: [
        "disposables dropped \(row.disposablesReleased)", "live \(row.live)",
        "subscribed \(row.subscribed)", "ended \(row.endedCount)",
      ] + (younger == 0 ? [] : ["not counted, as too young to judge, \(younger)"])
    )
  }

  var rank: Rank { Rank(live: dropped, age: age) }
}

/// The number of root subscriptions that were ever made at the given sites, by call stack.
private struct SubscriptionsByCall {
  private struct Call: Hashable {
    var site: UInt32
    var stack: [UInt64]
  }

  private var counts: [Call: Int] = [:]

  /// - Complexity: O(records).
  init(at sites: Set<UInt32>, _ facts: FindingFacts) {
    guard facts.hasCallers, facts.isExact(since: facts.start) else { return }
    var byChain: [UInt64: Int] = [:]
    for record in facts.records where record.kind == .subscribed {
      guard sites.contains(record.argument), let creation = record.subscribing,
        creation.downstream == .none
      else { continue }
      byChain[Packing.pair(high: creation.site, low: creation.chain), default: 0] += 1
    }
    for (key, count) in byChain {
      let call = Self.call(Packing.high(key), Packing.low(key), facts)
      counts[call, default: 0] += count
    }
  }

  /// The count for the call stack of a subscription; nil if it is unknown.
  func count(of root: TraceSlot, _ facts: FindingFacts) -> Int? {
    counts.isEmpty ? nil : counts[Self.call(root.site, root.chain, facts)]
  }

  private static func call(_ site: UInt32, _ chain: UInt32, _ facts: FindingFacts) -> Call {
    Call(site: site, stack: facts.call(of: chain, at: site).stack)
  }
}

/// The records of dropped disposables.
private struct Releases {
  private var numbers: [TraceID: UInt64] = [:]

  init(of roots: [[UInt32: [TraceSlot]]], _ facts: FindingFacts) {
    var createdAt: [TraceID: UInt64] = [:]
    for slot in roots.flatMap(\.values).joined() { createdAt[slot.id] = slot.createdAt }
    guard !createdAt.isEmpty else { return }
    for record in facts.records where record.kind == .disposableReleased {
      guard let creation = createdAt[record.entity], record.ticks >= creation else { continue }
      numbers[record.entity] = record.number
    }
  }

  func number(of root: TraceSlot) -> UInt64? { numbers[root.id] }
}
