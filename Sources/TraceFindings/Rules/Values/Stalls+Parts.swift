import TraceModel
import TraceReading

/// Operators that forward several signals one after another (`concat`) and follow one that never
/// ends, so that the signals after it are never subscribed to.
extension Stalls {
  /// Signals that wait for their turn in an operator.
  struct WaitingParts {
    var stage: TraceSlot
    /// The subscription to the signal in front of them.
    var running: TraceSlot
    /// The subscription, of that signal or upstream of it, that never ends by itself.
    var source: TraceSlot
    /// The waiting signals, as far as the trace has them.
    var parts: [TraceSlot]
    var waitingCount: Int
    var totalCount: Int
    /// The subscription downstream that has let none of the operator's values pass, so that all
    /// that is wanted downstream may be what waits; nil if there is none.
    var filter: TraceSlot?
    /// Whether the source ends with an object that the program may release, such as a property.
    var isReleasable: Bool

    /// If the program releases the source, the next part begins, so the fault is certain only if
    /// nothing useful has come downstream so far.
    ///
    /// An operator in front of the source may replace a failure by an end.
    var level: FindingLevel {
      filter == nil && (isReleasable || running.id != source.id) ? .info : .suspect
    }
  }

  /// The findings about such operators, one for each line.
  static func waitingParts(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.sites.contains(where: { $0.traits.forwardsInTurn && $0.subscribed > 0 }) else {
      return []
    }
    let all = facts.slots.filter { $0.isLiveSubscription && !context.isAccused($0.key) }
      .compactMap { waitingParts(in: $0, context) }
    return Dictionary(grouping: all, by: \.stage.site).sorted { $0.key < $1.key }.compactMap {
      _,
      ofLine in
      let level = ofLine.map(\.level).max()
      let worst = ofLine.filter { $0.level == level }
      return worst.first.map { draft($0, others: worst.count - 1, context) }
    }
  }

  /// What waits in an operator behind a signal that never ends; nil if nothing does, or if that
  /// signal may end.
  static func waitingParts(in stage: TraceSlot, _ context: FindingContext) -> WaitingParts? {
    let (facts, walk) = (context.facts, context.walk)
    guard facts.site(stage.site).traits.forwardsInTurn,
      let signal = facts.slot(TraceID(rawValue: stage.signal)), signal.kind == .signal,
      // An operator that receives signals as values has only one upstream.
      !signal.moreUpstreams.isEmpty
    else { return nil }
    let order = [signal.link] + signal.moreUpstreams
    let inputs = walk.upstreams(of: stage)
    // If the same signal occurs twice, the later place is taken.
    guard inputs.count == 1, let running = inputs.first,
      let place = order.lastIndex(of: TraceID(rawValue: running.signal)), place + 1 < order.count,
      facts.isSettled(running.createdAt), let source = context.endlessStage(from: running)
    else { return nil }
    let isReleasable = facts.site(source.site).traits.contains(.hot)
    // A signal that only ends, such as that of a lifetime, may be awaited rightly.
    if isReleasable, stage.eventCount == 0 { return nil }
    return WaitingParts(
      stage: stage,
      running: running,
      source: source,
      parts: order[(place + 1)...].compactMap { facts.slot($0) }.filter { $0.kind == .signal },
      waitingCount: order.count - place - 1,
      totalCount: order.count,
      filter: context.filter(of: stage),
      isReleasable: isReleasable
    )
  }

  /// Says which parts wait for what; for explanations.
  static func sentence(of waiting: WaitingParts, _ facts: FindingFacts) -> String {
    let (running, source) = (facts.site(waiting.running.site), facts.site(waiting.source.site))
    let (count, total) = (waiting.waitingCount, waiting.totalCount)
    let time = Duration.seconds(facts.age(waiting.running.createdAt)).brief
    let end =
      waiting.isReleasable
      ? "does not end by itself: only its completion or its release could still end it"
      : "never ends by itself"
    let what =
      running.index == source.index
      ? "which has run for \(time) and \(end)"
      : "which has run for \(time) and follows \(source.place), which \(end)"
    return
      "\(count) of \(total) parts \(count == 1 ? "has" : "have") not begun here: "
      + "\(names(waiting, facts)) \(count == 1 ? "is" : "are") to follow \(running.place), \(what)."
  }

  private static func names(_ waiting: WaitingParts, _ facts: FindingFacts) -> String {
    var places: [String] = []
    for part in waiting.parts {
      let place = facts.site(part.site).place
      if !places.contains(place) { places.append(place) }
    }
    if places.isEmpty { return "what is behind it" }
    let named = places.prefix(2).joined(separator: " and ")
    return places.count > 2 ? "\(named) and \(places.count - 2) more" : named
  }

  private static func draft(
    _ waiting: WaitingParts,
    others: Int,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    let (stage, running) = (waiting.stage, waiting.running)
    let row = facts.site(stage.site)
    let (first, source) = (facts.site(running.site).place, facts.site(waiting.source.site).place)
    var sentence = sentence(of: waiting, facts)
    if let filter = waiting.filter {
      sentence +=
        " \(Words.count(stage.eventCount, "value")) came from here, and "
        + "\(facts.site(filter.site).place) has let nothing pass."
    }
    if others > 0 {
      sentence +=
        " \(Words.count(others, "more subscription")) made there "
        + "\(others == 1 ? "is" : "are") in the same state."
    }
    let change =
      "put take, first(where:) or take(until:) behind \(first) if the next part is to begin, or "
      + "use merge instead of \(row.place), which subscribes to all parts at once."
    let isCertain = !waiting.isReleasable && running.id == waiting.source.id
    return FindingDraft(
      kind: .stall,
      level: waiting.level,
      site: stage.site,
      subject: others == 0 ? stage.key : nil,
      summary: "\(waiting.waitingCount) of \(waiting.totalCount) parts behind what never ends",
      sentence: sentence,
      remedy: waiting.level == .info
        ? "Nothing, if what waits is meant for the end of \(source); otherwise \(change)"
        : "P\(change.dropFirst())",
      evidence: Evidence(
        events: facts.creations(of: [stage, running]),
        counters: [
          "parts not begun \(waiting.waitingCount)", "parts \(waiting.totalCount)",
          "events \(stage.eventCount)",
        ]
      ),
      members: [stage, running],
      affected: [stage.key],
      rank: Rank(
        live: UInt64(waiting.waitingCount),
        age: facts.age(running.createdAt)
      ),
      upstreamChain: context.walk.chain(upstreamOf: stage.site),
      proof: isCertain
        ? [
          "\(row.place) subscribes to a part when the part before it has completed",
          "\(source), which it follows now, never ends by itself",
        ] : [],
      ruledOut: [
        "a part that is about to end: nothing made at the lines from \(row.place) to \(source) has completed"
      ]
    )
  }
}

extension SiteTraits {
  /// Whether the operator forwards its inputs one after another (`concat`).
  fileprivate var forwardsInTurn: Bool {
    contains([.merging, .queuesInner]) && inputs == .partners && fate == .passes
  }
}

extension FindingContext {
  /// The subscription that never ends by itself, and on which alone it depends whether the given
  /// one ends; nil if there is none, or if the program decides when it ends.
  ///
  /// Nothing is returned if anything has completed at one of the lines.
  fileprivate func endlessStage(from start: TraceSlot) -> TraceSlot? {
    var here = start
    for _ in 0..<64 {
      let site = facts.site(here.site)
      let traits = site.traits
      guard !site.isLost, site.ended(.completed) == 0, traits.fate != .flattens,
        // A property that follows a signal ends with it; it is the root of a subscription.
        traits.isDisjoint(with: [.bounding, .subject, .executes, .root])
      else { return nil }
      if traits.contains(.endless) { return here }
      // What a trigger does when it ends depends on the operator.
      guard !traits.contains(.merging), traits.inputs != .triggers else { return nil }
      let inputs = walk.inputs(of: here).filter { $0.role != .sampled }
      guard inputs.count == 1 else { return nil }
      here = inputs[0].slot
    }
    return nil
  }

  /// The nearest subscription downstream that has let no value pass, if it drops values for a
  /// reason of its own; nil if there is none.
  fileprivate func filter(of stage: TraceSlot) -> TraceSlot? {
    var here = stage
    for _ in 0..<64 {
      guard here.eventCount > 0, let next = facts.slot(here.link), next.isLiveSubscription else {
        return nil
      }
      let traits = facts.site(next.site).traits
      guard
        traits.isDisjoint(with: [.merging, .dropsFirst, .sendsAtEnd, .waitsForAll, .shares]),
        traits.inputs == .source
      else { return nil }
      if next.eventCount == 0 { return traits.fate == .drops ? next : nil }
      here = next
    }
    return nil
  }
}
