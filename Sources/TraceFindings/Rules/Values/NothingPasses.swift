public import TraceModel
import TraceReading

extension FindingKind {
  /// Values reach an operator, but another event for which it waits does not come.
  public static let nothingPasses = FindingKind(
    "nothing-passes",
    "values arrive, nothing passes",
    evidence: [.subscribed, .next, .ended],
    doubt:
      "What it waits for may still come: only the author of the code knows how long that may take.",
    settledBy: [.time]
  )
}

extension FindingKind {
  /// An operator that combines signals was given none, or one that has no value.
  public static let nothingCombined = FindingKind(
    "combined-of-nothing",
    "combination of nothing",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .ended],
    doubt:
      "Only the author of the code knows whether those who wait below need a value when a list or an input is empty."
  )
}

/// Operators that receive values and forward none, because something else for which they wait does
/// not come: another input, a trigger, a pause between two values, or the end of a signal that
/// never ends.
///
/// An operator that filters is not examined: it is unknown which values it is meant to forward.
enum NothingPasses: FindingRule {
  static let kinds: [FindingKind] = [.nothingPasses, .nothingCombined]

  /// The minimum number of values received by an operator that waits for the first value of another
  /// input.
  private static let few: UInt64 = 3
  /// The minimum number of values received by an operator that forwards values only at certain
  /// times.
  private static let many: UInt64 = 20
  /// The minimum number of seconds for which values came without a pause.
  private static let minimumWait = 1.0

  /// What an operator is waiting for.
  enum Reason {
    /// The first value of a live input.
    case silent(TraceSlot)
    /// A value of an input that has ended without one.
    ///
    /// The input is one of these histories; records do not always show which.
    case over([History])
    /// An event of a trigger; nil if there is no trigger any more.
    case trigger(TraceSlot?)
    /// A pause between values.
    case pause
    /// The end of a signal that never ends.
    case end(TraceSite)
  }

  struct Stuck {
    var stage: TraceSlot
    var reason: Reason
    /// The number of values received, and the inputs that sent them.
    var arrived: UInt64
    var inputs: [TraceSlot]
    /// The instant since which the operator has been waiting, in ticks.
    var since: UInt64
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var worst: [UInt32: Stuck] = [:]
    var counts: [UInt32: Int] = [:]
    var all: [TraceID: Stuck] = [:]
    for slot in facts.slots
    where slot.isLiveSubscription && !context.isAccused(slot.key)
      && !context.isExplained(slot.site)
    {
      all[slot.id] = stuck(slot, context)
    }
    for slot in facts.slots {
      guard let stuck = all[slot.id], !isBehindAnother(stuck, all, walk) else { continue }
      counts[slot.site, default: 0] += 1
      if worst[slot.site].map({ $0.arrived < stuck.arrived }) ?? true { worst[slot.site] = stuck }
    }
    let waiting = worst.keys.sorted().compactMap { site in
      worst[site].map { draft($0, others: (counts[site] ?? 1) - 1, walk, context) }
    }
    let reported = Set(worst.keys)
    return waiting + unpaired(except: reported, context)
      + waitingForEndlessInput(except: reported, context)
      + forwardedOnlyAtEnd(except: reported, context)
      + withoutInputs(context) + emptied(except: reported, context)
  }

  /// Whether an operator waits for the values of another operator that is waiting itself, and is
  /// reported instead.
  private static func isBehindAnother(
    _ stuck: Stuck,
    _ all: [TraceID: Stuck],
    _ walk: UpstreamWalk
  ) -> Bool {
    guard case .silent(let input) = stuck.reason, all.count > 1 else { return false }
    var left = [input]
    var budget = 256
    while let here = left.popLast(), budget > 0 {
      budget -= 1
      if all[here.id] != nil { return true }
      left += walk.upstreams(of: here)
    }
    return false
  }

  /// The site to blame: the silent source's if the source is hot and other subscriptions of the
  /// operator's line have sent values, and otherwise the operator's.
  static func blamed(_ stuck: Stuck, _ walk: UpstreamWalk, _ facts: FindingFacts) -> UInt32 {
    let site = stuck.stage.site
    guard case .silent(let input) = stuck.reason else { return site }
    let source = walk.furthest(upstreamOf: input)
    let isInOrder = facts.slots.contains {
      $0.site == site && $0.isLiveSubscription && $0.eventCount > 0
        && $0.signal != stuck.stage.signal
    }
    return isInOrder && facts.site(source.site).traits.contains(.hot) ? source.site : site
  }

  // MARK: Operators without inputs

  /// Operators that wait for a value of each input but have no inputs, so that they, and everything
  /// downstream, end without a value.
  private static func withoutInputs(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let sites = facts.sites.contains { $0.traits.contains(.waitsForAll) && $0.endedCount > 0 }
    guard sites, facts.hasEvents, let histories = context.histories else { return [] }
    var found: [UInt32: [Int]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.creation != 0 && one.reason == .completed && one.events == 0 {
      guard facts.site(one.site).traits.contains(.waitsForAll), histories.inputs[place].isEmpty,
        facts.seconds(from: one.createdAt, to: one.endedAt ?? .max) < 0.001,
        isValueMissing(place, histories, facts)
      else { continue }
      found[one.site, default: []].append(place)
    }
    return found.keys.sorted().map { site in
      let places = found[site] ?? []
      let row = facts.site(site)
      return FindingDraft(
        kind: .nothingCombined,
        site: site,
        summary: "\(places.count) of \(row.subscribed) combine no signals at all",
        sentence:
          "\(places.count) of \(Words.count(row.subscribed, "subscription")) made here combined no signals at all, an empty list, and "
          + "ended at once without a value: those that wait below keep what was there before.",
        remedy: "Send a value of no elements where the list of \(row.place) is empty (just([])).",
        evidence: Evidence(
          events: places.flatMap { [histories.all[$0].creation, histories.all[$0].end] }
            .filter { $0 != 0 }.sorted(),
          counters: ["of no signals \(places.count)", "subscribed \(row.subscribed)"]
        ),
        accusedStages: places.map { place in
          let one = histories.all[place]
          return AccusedRoot(one)
        },
        affected: places.map { histories.all[$0].key },
        rank: Rank(live: UInt64(places.count)),
        restsOnRecords: true
      )
    }
  }

  /// Whether a missing value matters: it does unless an operator downstream has sent a value
  /// nevertheless or acts on completion, or it is unknown what is downstream.
  static func isValueMissing(_ place: Int, _ histories: Histories, _ facts: FindingFacts)
    -> Bool
  {
    var here = histories.all[place].downstream
    while here >= 0 {
      let one = histories.all[here]
      let traits = facts.site(one.site).traits
      if traits.contains(.merging), traits.fate == .flattens { return true }
      if traits.contains(.root) { return !traits.contains(.handlesEnd) }
      if one.events > 0 { return false }
      here = one.downstream
    }
    return false
  }

  /// A sentence that explains why an operator forwards no values, with its name; nil if nothing
  /// keeps it from forwarding them.
  static func sentence(of slot: TraceSlot, _ context: FindingContext) -> String? {
    guard let stuck = stuck(slot, context) else { return nil }
    let draft = draft(stuck, others: 0, context.walk, context)
    return "\(context.facts.site(slot.site).place): \(draft.sentence) \(draft.remedy)"
  }

  private static func stuck(_ slot: TraceSlot, _ context: FindingContext) -> Stuck? {
    let (facts, walk) = (context.facts, context.walk)
    let traits = facts.site(slot.site).traits
    // The traits exclude most operators.
    let mayWait =
      traits.contains(.waitsForAll) || traits.inputs == .triggers || traits.fate == .keepsLatest
      || traits.fate == .folds || traits.sendsOnlyAtEnd
    guard mayWait else { return nil }
    let inputs = walk.inputs(of: slot)
    let active = inputs.filter { $0.slot.eventCount > 0 && $0.role != .trigger }.map(\.slot)
    let arrived = active.reduce(UInt64(0)) { $0.saturatingAdding($1.eventCount) }
    // An operator that sends only when all inputs have ended may receive a single value, so the
    // number of values says nothing.
    guard arrived >= (traits.sendsOnlyAtEnd ? 1 : few) else { return nil }
    if slot.eventCount == 0, facts.isSettled(slot.createdAt),
      let reason = reason(slot, inputs, arrived, context)
    {
      return Stuck(
        stage: slot,
        reason: reason,
        arrived: arrived,
        inputs: active,
        since: slot.createdAt
      )
    }
    guard traits.fate == .keepsLatest, !traits.contains(.waitsForAll), traits.inputs != .triggers
    else { return nil }
    return waitingForPause(slot, active, context)
  }

  /// What an operator that has forwarded nothing is waiting for; nil if it is unknown.
  private static func reason(
    _ slot: TraceSlot,
    _ inputs: [(slot: TraceSlot, role: InputRole)],
    _ arrived: UInt64,
    _ context: FindingContext
  ) -> Reason? {
    let (facts, walk) = (context.facts, context.walk)
    let row = facts.site(slot.site)
    func endless() -> Reason? {
      inputs.lazy.compactMap { walk.endlessSource(upstreamOf: $0.slot) }.first.map { .end($0) }
    }
    if row.traits.contains(.waitsForAll) {
      if let over = over(slot, context) { return over }
      let silent = inputs.first { $0.slot.eventCount == 0 && facts.isSettled($0.slot.createdAt) }
      if let silent { return .silent(silent.slot) }
      return row.traits.sendsOnlyAtEnd ? endless() : nil
    }
    if row.traits.inputs == .triggers {
      guard arrived >= many else { return nil }
      let triggers = inputs.filter { $0.role == .trigger }.map(\.slot)
      return triggers.allSatisfy { $0.eventCount == 0 } ? .trigger(triggers.first) : nil
    }
    return row.traits.sendsOnlyAtEnd ? endless() : nil
  }

  /// The ended inputs, one of which sent no value, according to records; nil if there is none.
  private static func over(_ slot: TraceSlot, _ context: FindingContext) -> Reason? {
    guard let histories = context.histories,
      let place = histories.place(of: slot.key), histories.all[place].creation != 0
    else { return nil }
    let ended = histories.inputs[place].map { histories.all[$0] }
      .filter { !$0.isLive && $0.reason != .cancelled }
    guard context.facts.hasEvents else {
      // If all live inputs have sent values, an ended input has not.
      let haveSent = context.walk.upstreams(of: slot).allSatisfy { $0.eventCount > 0 }
      return !ended.isEmpty && haveSent ? .over(ended) : nil
    }
    return ended.first { $0.events == 0 }.map { .over([$0]) }
  }

  /// Describes an operator that keeps the latest value until there is a pause; nil unless values
  /// come without a pause.
  private static func waitingForPause(
    _ slot: TraceSlot,
    _ active: [TraceSlot],
    _ context: FindingContext
  ) -> Stuck? {
    let facts = context.facts
    guard let input = active.max(by: { $0.eventCount < $1.eventCount }) else { return nil }
    var (arrived, since) = (input.eventCount, slot.createdAt)
    if slot.eventCount > 0 {
      // Only records show which values came since the operator last forwarded one.
      guard facts.hasEvents, let histories = context.histories,
        let place = histories.place(of: slot.key)
      else { return nil }
      arrived = histories.all[place].arrivedSince
      since = histories.all[place].arrivedFrom
    }
    let busy = facts.seconds(from: since, to: input.lastEventAt)
    // A burst is not a steady input.
    guard arrived >= many, busy >= minimumWait, busy * 3 >= facts.age(slot.createdAt) else {
      return nil
    }
    return Stuck(stage: slot, reason: .pause, arrived: arrived, inputs: [input], since: since)
  }
}

extension UpstreamWalk {
  /// The stage at which the values of an input begin: the stage furthest upstream to which only one
  /// path leads.
  func furthest(upstreamOf slot: TraceSlot) -> TraceSlot {
    var here = slot
    var left = 512
    while left > 0 {
      let upstreams = upstreams(of: here)
      guard upstreams.count == 1 else { return here }
      here = upstreams[0]
      left -= 1
    }
    return here
  }
}

extension SiteTraits {
  /// Whether the operator sends nothing before its inputs have completed (`reduce`, `take(last:)`,
  /// `forkJoin`).
  var sendsOnlyAtEnd: Bool {
    contains(.sendsAtEnd) || contains(.waitsForAll) && fate == .keepsLatest && inputs == .partners
  }
}
