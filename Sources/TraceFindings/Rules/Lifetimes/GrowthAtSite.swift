public import TraceModel
import TraceReading

extension FindingKind {
  /// The number of live subscriptions of one line of code only ever grows.
  public static let growth = FindingKind(
    "growth-at-site",
    "growth at one site",
    evidence: [.subscribed],
    doubt:
      "A cache that fills, and what is meant to stay, grow in the same way until they have what they need.",
    settledBy: [.marks, .callers, .time]
  )
}

/// Lines of code whose number of live subscriptions only ever grows.
///
/// The rules and their reasons are in `Documentation/Decisions/0004-growth-levels.md`.
struct GrowthAtSite: FindingRule {
  static let kinds: [FindingKind] = [.growth]

  let site: UInt32
  private(set) var level: FindingLevel
  let descendants: Int
  let upstreamChain: [String]
  let members: [TraceSlot]
  /// The accused among the members: those made since the first window, or earlier by the same
  /// callers.
  let accused: [TraceSlot]
  let row: TraceSite
  let windows: GrowthWindows
  let trend: Trend
  let levels: [Int]
  let minimums: [Int]
  let events: [UInt64]
  let age: Double
  let owners: LivingOwners
  /// The number of released objects among those made at the same line as the owners.
  let ownersReleased: UInt64

  /// The minimum number of seconds that automatic windows have to span.
  private static let minimumTime = 5.0

  // MARK: Search

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard !facts.lacksMarks else { return [] }
    let divisions = GrowthWindows.all(facts.marks, now: facts.now).filter { windows in
      // Automatic windows that span less time show only how a program starts.
      windows.isDeclared || facts.age(windows.ticks(0)) >= minimumTime
    }
    var levels: [UInt32: (level: FindingLevel, windows: GrowthWindows)] = [:]
    for (row, site) in facts.sites.enumerated()
    where site.subscribed > 0 || site.isLost {
      for windows in divisions {
        guard let level = level(site, UInt32(row), windows, isOver: facts.isStopped),
          levels[UInt32(row)].map({ $0.level < level }) ?? true,
          !isDemand(site, UInt32(row), windows, facts)
        else { continue }
        levels[UInt32(row)] = (level, windows)
      }
    }
    guard !levels.isEmpty else { return [] }
    let blame = GrowthBlame(Set(levels.keys), facts)
    let walk = context.walk
    // If slots (entries for live entities) are lost, downstream subscriptions may be among them.
    let accused = levels.keys.filter {
      blame.culprit(of: $0) == $0
        && (!facts.lacksSlots || facts.site($0).traits.contains(.root))
    }
    .sorted()
    let creations = Creations(of: Set(accused), facts)
    var kept: [UInt32: [GrowthAtSite]] = [:]
    var others: [GrowthAtSite] = []
    var drafts = accused.compactMap { site -> FindingDraft? in
      levels[site].flatMap { level, windows in
        let growth = GrowthAtSite(site, level, windows, blame, walk, creations, facts)
        if let draft = growth.ofInners(facts) ?? growth.ofOperator(context) { return draft }
        guard growth.owners.explain, let owners = growth.owners.sites.first else {
          others.append(growth)
          return nil
        }
        kept[owners, default: []].append(growth)
        return nil
      }
    }
    // Other growing subscriptions that the same objects made are reported together with the
    // subscriptions in the bags of the objects.
    for growth in others {
      let owners = kept.keys.sorted().first { owners in
        kept[owners]?.contains { $0.owners.wereMadeWith(growth.members) } ?? false
      }
      if let owners { kept[owners]?.append(growth) } else { drafts.append(growth.draft) }
    }
    return drafts + kept.keys.sorted().compactMap { kept[$0].flatMap { draft(of: $0, facts) } }
  }

  /// If the owners have grown in number over this many rounds, they are certainly kept by mistake;
  /// after fewer rounds, they may be meant to stay, like the pages behind tabs.
  private static let surelyKept = 6

  /// One finding for all lines whose subscriptions belong to owners that themselves grow in number,
  /// because the code that keeps the owners keeps all of the subscriptions.
  private static func draft(of lines: [GrowthAtSite], _ facts: FindingFacts) -> FindingDraft? {
    let owning = lines.filter(\.owners.explain)
    guard var first = owning.max(by: { $0.rank.weight < $1.rank.weight }) else { return nil }
    if first.level == .leak, first.trend.steps.count < surelyKept { first.level = .suspect }
    var draft = first.draft
    guard lines.count > 1, let site = first.owners.sites.first else { return draft }
    let row = facts.site(site)
    let names = lines.map(\.row.place).sorted()
    draft.site = site
    draft.subject = nil
    draft.summary =
      "\(first.owners.count) live, +\(Words.number(first.perStep)) per \(first.unit), with the "
      + "subscriptions of \(lines.count) lines"
    draft.sentence =
      "\(first.owners.count) of the owners made here live, \(first.more) \(first.frequency)"
      + "\(first.names), and \(first.released), so that the subscriptions of "
      + "\(lines.count) lines only grow in number: \(names.prefix(4).joined(separator: ", "))"
      + "\(names.count > 4 ? " and \(names.count - 4) more" : "")."
      + (first.windows.memory.map { " \($0)" } ?? "")
    draft.remedy =
      "Find out what keeps alive the objects that \(row.place) belongs to: a list or cache that "
      + "they are put into, or a closure given to one of these lines that captures "
      + "its object strongly."
    draft.evidence = Evidence(
      events: lines.flatMap(\.events).sorted(),
      counters: [
        "owners alive \(first.owners.count)",
        "fewest live per \(first.unit) \(Words.list(first.minimums))",
      ]
    )
    draft.members = lines.flatMap(\.members)
    draft.accused = lines.flatMap(\.accused)
    draft.descendants = lines.reduce(0) { $0 + $1.descendants }
    draft.explains = Set(lines.map(\.site))
    return draft
  }

  /// How certain it is that the count of a site grows; nil if it does not.
  ///
  /// - Parameters:
  ///   - row: The site.
  ///   - site: The number of the site in the table.
  ///   - windows: The windows of time that the marks of the recording define.
  ///   - isOver: Whether the recording was stopped normally: the program has then ended even the
  ///     subscriptions that should have ended long before.
  /// - Returns: The level, regardless of what is missing in the trace.
  private static func level(
    _ row: TraceSite,
    _ site: UInt32,
    _ windows: GrowthWindows,
    isOver: Bool
  ) -> FindingLevel? {
    let minimums = windows.minimums(site, live: row.live)
    // If the count has fallen since the last window, there is no leak.
    guard let last = minimums.last, last > 0,
      row.isLost || Int(clamping: row.live) >= last || windows.isDeclared && isOver,
      !windows.hasDrained(site, below: last)
    else { return nil }
    let levels = windows.isDeclared ? windows.levels(site) : nil
    let trend = Trend(minimums: minimums, levels: levels)
    if windows.isDeclared {
      if trend.run == trend.steps.count { return .leak }
    } else if row.endedCount == 0 {
      let count = trend.steps.count
      if count >= 6, trend.run == count { return .leak }
      if count >= 12, trend.rises * 4 >= count * 3, trend.falls == 0 { return .leak }
    }
    return trend.run >= 4 && trend.slope > 0 ? .suspect : nil
  }

  /// Whether most of the subscriptions that caused the growth are no older than ended subscriptions
  /// were when they ended.
  ///
  /// In that case only the demand has risen, and these subscriptions will end as the earlier ones
  /// did. If the program declares rounds, the result is false, because nothing of a round should be
  /// left at its end, however young it is.
  private static func isDemand(
    _ row: TraceSite,
    _ site: UInt32,
    _ windows: GrowthWindows,
    _ facts: FindingFacts
  ) -> Bool {
    guard !windows.isDeclared, !facts.lacksSlots, row.endedCount >= minimumEnded,
      let longest = row.lifetimeBound(of: 0.99).map({ $0 / .seconds(1) })
    else { return false }
    let minimums = windows.minimums(site, live: row.live)
    let rise = (minimums.last ?? 0) - (minimums.min() ?? 0)
    let overdue = facts.slots.count { slot in
      slot.site == site && slot.isLiveSubscription && facts.age(slot.createdAt) > longest
    }
    return overdue * 4 < rise
  }

  /// The minimum number of ended subscriptions whose lifetimes predict those of others.
  private static let minimumEnded = 16

  private init(
    _ site: UInt32,
    _ level: FindingLevel,
    _ windows: GrowthWindows,
    _ blame: GrowthBlame,
    _ walk: UpstreamWalk,
    _ creations: Creations,
    _ facts: FindingFacts
  ) {
    self.site = site
    self.level = level
    self.windows = windows
    descendants = blame.consequences(of: site)
    upstreamChain = walk.chain(upstreamOf: site)
    row = facts.site(site)
    minimums = windows.minimums(site, live: row.live)
    levels = windows.levels(site)
    trend = Trend(minimums: minimums, levels: windows.isDeclared ? levels : nil)
    events = creations.events(of: site)
    age = creations.oldest(of: site).map(facts.age) ?? 0
    owners = LivingOwners(of: site, facts)
    ownersReleased = owners.sites.first.map { facts.site($0).ownersEnded } ?? 0
    let members = facts.slots.filter { $0.site == site && $0.isLiveSubscription }
    self.members = members
    let start = windows.ticks(0)
    // A caller that has not subscribed since the first window does not contribute to the growth.
    let callers = Set(members.filter { $0.createdAt > start && $0.link == .none }.map(\.chain))
    let since = members.filter {
      $0.createdAt > start || $0.link == .none && callers.contains($0.chain)
    }
    accused = since.isEmpty ? members : since
  }

  private var draft: FindingDraft {
    FindingDraft(
      kind: .growth,
      level: level,
      site: site,
      summary: summary,
      sentence: sentence,
      remedy: remedy,
      evidence: evidence,
      members: members,
      accused: accused,
      marks: windows.marked,
      rank: rank,
      descendants: descendants,
      upstreamChain: upstreamChain,
      role: .growth,
      ruledOut: ruledOut
    )
  }

  /// The same finding about the operator to which all the subscriptions belong as inner signals;
  /// nil if they do not belong to one operator.
  private func ofInners(_ facts: FindingFacts) -> FindingDraft? {
    var outers: Set<TraceID> = []
    for slot in accused.prefix(100) {
      guard slot.link != .none, let outer = facts.outer(of: slot) else { return nil }
      outers.insert(outer.id)
    }
    guard outers.count == 1, let outer = outers.first.flatMap(facts.slot) else { return nil }
    let operation = facts.site(outer.site)
    var draft = draft
    draft.site = outer.site
    draft.subject = outer.key
    draft.summary = "inner signals: \(summary)"
    draft.sentence =
      "Inner signals that never end pile up here, made at \(row.place): \(sentence(at: "there"))"
    draft.remedy =
      "Let the newest replace the one before with flatMapLatest, end each with take or take(until:), or bound them with flatMap(limit:) instead of "
      + "\(operation.place)."
    draft.members.append(outer)
    draft.explains = [site]
    draft.accusedStages = [AccusedRoot(outer)]
    return draft
  }

  /// The same finding about an operator that is upstream of every live subscription and of no
  /// completed one; nil if there is none, or if some subscriptions ended without completing.
  private func ofOperator(_ context: FindingContext) -> FindingDraft? {
    let facts = context.facts
    guard row.traits.contains(.root), level == .leak,
      row.ended(.completed) == row.endedCount, row.endedCount > 1,
      let histories = context.histories, histories.isWhole
    else { return nil }
    var completed: Set<UInt32> = []
    var common: Set<UInt32>?
    for (place, one) in histories.all.enumerated() where one.site == site {
      let sites = Set(histories.tree(upstreamOf: place, limit: 256).map { histories.all[$0].site })
      if one.isLive {
        common = common?.intersection(sites) ?? sites
      } else {
        completed.formUnion(sites)
      }
    }
    guard let only = common?.subtracting(completed), !only.isEmpty,
      let first = accused.first.flatMap({ histories.place(of: $0.key) }),
      let stage = histories.tree(upstreamOf: first, limit: 256).first(where: {
        only.contains(histories.all[$0].site)
      })
    else { return nil }
    let operation = facts.site(histories.all[stage].site)
    var draft = draft
    draft.site = operation.index
    draft.summary = "of \(row.place): \(summary)"
    draft.sentence =
      "What \(row.place) subscribes to ends by itself, except where it leads through this line: "
      + "\(sentence(at: "there"))"
    draft.remedy =
      "End what \(operation.place) makes, with take(1) where one answer is wanted, or take(until:); or keep the disposable of \(row.place) and dispose of it."
    draft.explains = [site]
    draft.evidence.counters =
      [
        "live \(operation.live)", "subscribed \(operation.subscribed)",
        "ended \(operation.endedCount)",
      ] + draft.evidence.counters.dropFirst(3)
    return draft
  }
}

extension FindingFacts {
  /// The nearest operator downstream for which a subscription is part of an inner signal; nil if
  /// there is none.
  fileprivate func outer(of slot: TraceSlot) -> TraceSlot? {
    var here = slot
    var left = 64
    while left > 0, here.link != .none, let next = self.slot(here.link), next.isLiveSubscription {
      let traits = site(next.site).traits
      // The signal to which the operator was applied is not an inner signal.
      if traits.contains(.merging), traits.fate == .flattens,
        self.slot(TraceID(rawValue: next.signal))?.link.rawValue != here.signal
      {
        return next
      }
      here = next
      left -= 1
    }
    return nil
  }
}
