public import TraceModel
import TraceReading

extension FindingKind {
  /// A cache without a bound that only ever grows.
  public static let cache = FindingKind(
    "cache-without-bound",
    "cache without a bound",
    needsEvents: true,
    evidence: [.depth],
    doubt: "What is kept may come to an end that this recording has not reached.",
    settledBy: [.time]
  )
  /// A shared subscription continues without subscribers.
  public static let orphanConnection = FindingKind(
    "connection-without-subscriber",
    "connection without subscriber",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .ended, .next],
    doubt:
      "It may be kept up to date on purpose for later subscribers, or be read without a subscription."
  )
}

/// Caches without a bound that only ever grow, and shared subscriptions that continue without
/// subscribers.
enum Caches: FindingRule {
  static let kinds: [FindingKind] = [.cache, .orphanConnection]

  /// A cache is examined if it holds at least this many values.
  private static let many: UInt32 = 256
  /// The minimum number of values that a shared subscription received without a subscriber.
  private static let minimumUnreceivedValues = 50
  /// The minimum number of seconds for which the shared subscription had no subscriber.
  private static let minimumTimeWithoutSubscriber = 0.5
  /// The minimum number of stretches of time without a subscriber.
  private static let minimumGaps = 3
  /// The minimum number of values in each of these stretches.
  private static let minimumValuesInGap = 3
  /// The minimum total number of values in these stretches.
  private static let minimumValuesInGaps = 20
  /// For a poll that sets a property, the minimum number of stretches without a subscriber.
  private static let minimumGapsOfPoll = 2
  /// For a poll that sets a property, the minimum total number of values in these stretches.
  private static let minimumValuesInGapsOfPoll = 10

  /// Whether signals made at a site may keep values for later subscribers.
  static func keepsValues(_ site: TraceSite) -> Bool {
    !site.traits.isDisjoint(with: [.replays, .shares])
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var stages: [TraceSlot] = []
    var runs: [TraceSlot] = []
    var hubs: [TraceSlot] = []
    for slot in facts.slots {
      let site = facts.site(slot.site)
      if slot.isLiveSubscription {
        if slot.depth >= many, site.traits.contains(.retains) { stages.append(slot) }
        if slot.link == .none, site.traits.contains(.shares),
          !site.traits.contains(.refCounted)
        {
          runs.append(slot)
        }
      } else if slot.kind == .signal, keepsValues(site), !facts.keepsFew(slot) {
        hubs.append(slot)
      }
    }
    return growing(stages + hubs, walk, facts) + orphans(runs, walk, facts) + unread(context)
  }

  // MARK: Growing caches

  private static func growing(
    _ slots: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    let depths = facts.records(about: slots) { $0 == .depth }
    var worst: [UInt32: FindingDraft] = [:]
    for slot in slots {
      let doublings = Doublings(depths[slot.id] ?? [])
      guard doublings.highest >= many, doublings.keepsGrowing(since: slot.createdAt, facts) else {
        continue
      }
      guard worst[slot.site].map({ $0.rank.live < doublings.highest }) ?? true else { continue }
      let row = facts.site(slot.site)
      let age = Duration.seconds(facts.age(slot.createdAt)).brief
      let isStage = slot.kind == .subscription
      worst[slot.site] = FindingDraft(
        kind: .cache,
        site: slot.site,
        subject: slot.key,
        summary: "\(doublings.highest) values or more kept, and growing",
        sentence:
          "\(doublings.highest) values or more are kept here after \(age), at least half of them added "
          + "\(isStage ? "in the second half of that time" : "after less than that"), and none has ever been released.",
        remedy: isStage
          ? "End what is collected (take, take(until:)), or keep only what is needed: \(row.place) keeps all."
          : "Give \(row.place) a capacity: without one it keeps every value as long as it lives.",
        evidence: Evidence(
          events: doublings.numbers,
          counters: isStage
            ? ["values held \(slot.depth)"] : ["subscriptions now \(slot.depth)"]
        ),
        members: [slot],
        rank: Rank(live: UInt64(doublings.highest), age: facts.age(slot.createdAt)),
        upstreamChain: walk.chain(upstreamOf: slot.site),
        restsOnRecords: true
      )
    }
    return worst.keys.sorted().compactMap { worst[$0] }
  }

  // MARK: Shared subscriptions without subscribers

  private static func orphans(
    _ runs: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    let signals = Set(runs.map(\.signal))
    var listeners: [UInt32: Int] = [:]
    for slot in facts.slots where slot.isLiveSubscription && signals.contains(slot.signal) {
      listeners[slot.signal, default: 0] += 1
    }
    // The shared subscription itself counts as a subscription of the signal, too.
    let alone = runs.filter { listeners[$0.signal] == 1 }
    let forgotten = UnobservedShares.drafts(of: alone.filter { isGone($0, facts) }, walk, facts)
    let reported = Set(forgotten.map(\.site))
    let busy = alone.filter {
      $0.eventCount >= minimumUnreceivedValues && !reported.contains($0.site)
    }
    let idle = forgotten + idling(busy, walk, facts)
    return idle + betweenSubscribers(runs, except: Set(idle.map(\.site)), walk, facts)
  }

  // MARK: Polls without subscribers

  /// Polls, driven by a timer, that set a property and produce at least half of their values while
  /// the property has no subscriber.
  private static func unread(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    let pollers = facts.slots.filter { slot in
      slot.isLiveSubscription && slot.link == .none && facts.isExact(since: slot.createdAt)
        && facts.site(slot.site).traits.contains(.root)
        && walk.endlessSource(upstreamOf: slot).map { $0.traits.contains(.timer) } == true
        && walk.sites(upstreamOf: slot).contains { facts.site($0).traits.contains(.merging) }
    }
    guard !pollers.isEmpty, let causes = context.causes else { return [] }
    var fed: [(poller: TraceSlot, signal: TraceSlot)] = []
    let signals = Dictionary(
      facts.slots.filter { $0.kind == .signal }.map { ($0.serial, $0) },
      uniquingKeysWith: { $1 }
    )
    for poller in pollers {
      guard let sent = causes.handled[poller.serial]?.sent, sent.count == 1,
        let signal = sent.first.flatMap({ signals[$0] })
      else { continue }
      fed.append((poller, signal))
    }
    guard !fed.isEmpty else { return [] }
    let visits = Visits(of: Set(fed.map(\.signal.id.rawValue)), except: [], facts)
    return fed.compactMap { poller, signal -> FindingDraft? in
      let stretches = visits.gaps(signal.id.rawValue)
      // Until the first subscriber comes, the poll may be meant to prepare the value for it.
      let first = visits.first(signal.id.rawValue)
      let values = (causes.handled[poller.serial]?.values ?? []).filter { $0.ticks >= first }
      let idle = stretches.map { stretch in values.filter { stretch.contains($0.ticks) } }
        .filter { $0.count >= minimumValuesInGap }
      let useless = idle.joined().map(\.number)
      guard idle.count >= minimumGapsOfPoll, useless.count >= minimumValuesInGapsOfPoll,
        useless.count * 2 >= values.count
      else { return nil }
      let row = facts.site(poller.site)
      return FindingDraft(
        kind: .orphanConnection,
        site: poller.site,
        subject: poller.key,
        summary: "\(useless.count) of \(values.count) values for nobody",
        sentence:
          "What is polled here sets \(facts.site(signal.site).place), to which nobody was subscribed when \(useless.count) of \(values.count) values came, in "
          + "\(idle.count) stretches after its subscribers had left.",
        remedy:
          "Poll only while somebody is subscribed: begin with the first subscriber and end with the last (share), or dispose of \(row.place) when its page closes; do nothing if the value is read in another way.",
        evidence: Evidence(
          events: useless.sorted(),
          counters: [
            "values for nobody \(useless.count)",
            "values for somebody \(values.count - useless.count)",
          ]
        ),
        members: [poller],
        rank: Rank(live: UInt64(useless.count)),
        upstreamChain: walk.chain(upstreamOf: poller.site),
        restsOnRecords: true
      )
    }
    .worstOfEachLine
  }

  /// Shared subscriptions, driven by a timer that never ends, that receive at least half of their
  /// values while they have no subscriber.
  private static func betweenSubscribers(
    _ runs: [TraceSlot],
    except reported: Set<UInt32>,
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    let driven = runs.filter { run in
      !reported.contains(run.site) && facts.isExact(since: run.createdAt)
        && walk.endlessSource(upstreamOf: run).map { $0.traits.contains(.timer) } == true
    }
    guard !driven.isEmpty else { return [] }
    let values = facts.records(about: driven) { $0 == .next }
    let visits = Visits(of: Set(driven.map(\.signal)), except: Set(driven.map(\.id)), facts)
    return Dictionary(grouping: driven, by: \.site).sorted { $0.key < $1.key }.compactMap {
      site,
      runs in
      var (useful, gaps, alone) = (0, 0, 0)
      var useless: [UInt64] = []
      for run in runs {
        let stretches = visits.gaps(run.signal)
        var counts = [Int](repeating: 0, count: stretches.count)
        var gap = 0
        for record in values[run.id] ?? [] {
          while gap < stretches.count, stretches[gap].upperBound <= record.ticks { gap += 1 }
          if gap < stretches.count, stretches[gap].contains(record.ticks) {
            counts[gap] += 1
            useless.append(record.number)
          } else {
            useful += 1
          }
        }
        gaps += counts.count { $0 >= minimumValuesInGap }
        if stretches.last?.upperBound == .max { alone += 1 }
      }
      guard gaps >= minimumGaps, useless.count >= minimumValuesInGaps, useless.count >= useful,
        let run = runs.first
      else { return nil }
      let row = facts.site(site)
      return FindingDraft(
        kind: .orphanConnection,
        site: site,
        subject: runs.count == 1 ? run.key : nil,
        summary: "\(useless.count) of \(useless.count + useful) values for nobody",
        sentence:
          "\(Self.goingOn(runs.count, alone: alone)): \(useless.count) of \(useless.count + useful) values came "
          + "in \(gaps) stretches in which all subscribers had left.",
        remedy:
          "Use share(replay:), which ends with the last subscriber and begins anew with the next, in place of \(row.place); do nothing if it is to be kept up to date for "
          + "later subscribers.",
        evidence: Evidence(
          events: useless.sorted(),
          counters: ["values for nobody \(useless.count)", "values for somebody \(useful)"]
        ),
        members: runs,
        rank: Rank(live: UInt64(useless.count)),
        upstreamChain: walk.chain(upstreamOf: site),
        restsOnRecords: true,
        explains: [site]
      )
    }
  }

  /// Says how many of the shared subscriptions of a line go on without a subscriber now.
  private static func goingOn(_ count: Int, alone: Int) -> String {
    switch (count, alone) {
    case (1, 0): "This shared subscription went on while nobody was subscribed"
    case (1, _): "This shared subscription goes on while nobody is subscribed"
    case (_, 0): "\(count) shared subscriptions made here went on while nobody was subscribed"
    case (_, count): "\(count) shared subscriptions made here go on while nobody is subscribed"
    case (_, 1): "1 of \(count) shared subscriptions made here goes on while nobody is subscribed"
    default: "\(alone) of \(count) shared subscriptions made here go on while nobody is subscribed"
    }
  }

  /// Whether the program has released the signal of a shared subscription, so that nobody can
  /// subscribe to that signal any more.
  private static func isGone(_ run: TraceSlot, _ facts: FindingFacts) -> Bool {
    facts.slot(TraceID(rawValue: run.signal)).map { $0.owner != 0 } ?? true
  }

  /// Shared subscriptions that received many values since the last subscriber ended.
  private static func idling(
    _ unobserved: [TraceSlot],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    guard !unobserved.isEmpty else { return [] }
    let records = facts.records(about: unobserved) { $0 == .next }
    let visits = Visits(of: Set(unobserved.map(\.signal)), except: Set(unobserved.map(\.id)), facts)
    var worst: [UInt32: FindingDraft] = [:]
    for run in unobserved {
      let isGone = isGone(run, facts)
      // Earlier times without subscribers are known only if no record is missing.
      guard isGone || facts.isExact(since: run.createdAt),
        let alone = visits.timeWithoutSubscriber(run, isGone: isGone, facts)
      else { continue }
      let useless = (records[run.id] ?? []).filter { $0.ticks > alone.since }
      guard useless.count >= minimumUnreceivedValues, alone.seconds >= minimumTimeWithoutSubscriber,
        alone.seconds >= alone.longestBefore * 4
      else { continue }
      let row = facts.site(run.site)
      worst[run.site] = FindingDraft(
        kind: .orphanConnection,
        site: run.site,
        subject: run.key,
        summary: "\(useless.count) values for nobody",
        sentence:
          "This shared subscription goes on although nobody \(isGone ? "can subscribe" : "is subscribed") to "
          + "what it feeds any more: \(useless.count) values came in the "
          + "\(Duration.seconds(alone.seconds).brief) since the last subscriber left.",
        remedy:
          "Use share(), which ends with the last subscriber, or keep the disposable of connect() and dispose "
          + "of it: \(row.place) goes on until its source ends.",
        evidence: Evidence(
          events: (visits.numbers(run.signal).suffix(4) + useless.map(\.number)).sorted(),
          counters: ["values \(run.eventCount)", "subscribers 0"]
        ),
        members: [run],
        rank: Rank(
          live: 1,
          rate: Double(useless.count) / max(alone.seconds, 0.01),
          age: facts.age(run.createdAt)
        ),
        upstreamChain: walk.chain(upstreamOf: run.site),
        restsOnRecords: true,
        explains: [run.site]
      )
    }
    return worst.keys.sorted().compactMap { worst[$0] }
  }
}
