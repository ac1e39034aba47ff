public import TraceModel
import TraceReading

extension FindingKind {
  /// An event waits to be delivered, and nothing moves.
  public static let stall = FindingKind(
    "stall",
    "stall",
    evidence: [.subscribed, .depth, .next],
    doubt:
      "It is unusual that nothing moves for so long, but what it waits for may still come.",
    settledBy: [.time]
  )
}

/// Subscriptions in which an event waits to be delivered, and nothing moves for much longer than
/// usual.
///
/// Silence alone says nothing: a user may be away. So only pending deliveries count: values that a
/// queue has not taken, inner signals that wait behind a running one, values without a partner, and
/// signals that are to follow one that never ends.
enum Stalls: FindingRule {
  static let kinds: [FindingKind] = [.stall]

  /// The minimum number of seconds of silence.
  private static let minimumSilence = 0.5
  /// The minimum ratio of the silence to the usual gap between events.
  private static let gapFactor = 10.0
  /// The minimum number of seconds of silence of a subscription that has never delivered anything.
  private static let firstSilence = 1.0

  private enum Reason {
    case queue
    case inner(TraceSlot)
    /// The running inner signal does not end, so that no waiting one will ever be begun.
    case endless([TraceSlot], TraceSite)
    case partner(TraceSlot, Backlogs.Zip)

    var isEndless: Bool {
      if case .endless = self { true } else { false }
    }
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    // What other threads do after a crash says nothing about the program.
    let end = min(facts.now, facts.crashTicks ?? .max)
    var found: [UInt32: FindingDraft] = [:]
    var stalled: [(slot: TraceSlot, reason: Reason, silence: Double)] = []
    for slot in facts.slots where slot.isLiveSubscription && !context.isAccused(slot.key) {
      guard let reason = reason(slot, context),
        let silence = silence(slot, reason, walk, facts, until: end)
      else { continue }
      stalled.append((slot, reason, silence))
    }
    let recordsBySlot = facts.records(about: stalled.map(\.slot)) { $0 == .depth || $0 == .next }
    for (slot, reason, silence) in stalled {
      let records = recordsBySlot[slot.id] ?? []
      // The pending events came after the last delivered one. If the last delivered event has no
      // record, an earlier record would not show for how long they have been pending.
      let last = records.last { $0.kind == .next }.flatMap { record in
        record.argument == UInt32(truncatingIfNeeded: slot.eventCount) ? record : nil
      }
      let numbers = [last, records.last { $0.kind == .depth }].compactMap { $0?.number }
      let one = draft(slot, reason, silence, numbers.sorted(), walk, facts)
      if found[slot.site].map({ $0.rank.age < silence }) ?? true { found[slot.site] = one }
    }
    return found.keys.sorted().compactMap { found[$0] } + waitingParts(context)
  }

  private static func reason(_ slot: TraceSlot, _ context: FindingContext) -> Reason? {
    let (facts, walk) = (context.facts, context.walk)
    let traits = facts.site(slot.site).traits
    if traits.contains(.switchesQueue) { return slot.depth > 0 ? .queue : nil }
    if traits.contains(.queuesInner), slot.depth > 0 {
      let running = walk.inputs(of: slot).filter { $0.role != .source }.map(\.slot)
      let sources = running.compactMap { walk.endlessSource(upstreamOf: $0) }
      if let source = sources.first, sources.count == running.count,
        slot.depth > 1 || hasMoreToBegin(slot, context)
      {
        return .endless(running, source)
      }
    }
    // If only one inner signal waits, it may be at the operator's gate, which lets one event pass
    // at a time, and no record shows when it came there.
    if traits.contains(.queuesInner), slot.depth > 1 {
      guard mayStall(UInt64(slot.depth), slot, facts) else { return nil }
      return walk.upstreams(of: slot).last.map { .inner($0) }
    }
    if traits.fate == .pairs, let zip = Backlogs.Zip(slot, walk), mayStall(zip.held, slot, facts) {
      let behind = zip.inputs.filter { $0.eventCount == slot.eventCount }
      return behind.min { $0.lastEventAt < $1.lastEventAt }.map { .partner($0, zip) }
    }
    return nil
  }

  /// Whether records show that an operator received more values than it began inner signals, so
  /// that the waiting one is not merely at the gate.
  private static func hasMoreToBegin(_ slot: TraceSlot, _ context: FindingContext) -> Bool {
    guard let histories = context.histories, let place = histories.place(of: slot.key),
      histories.all[place].creation != 0,
      let source = context.walk.inputs(of: slot).first(where: { $0.role == .source })
    else { return false }
    return source.slot.eventCount >= UInt64(max(1, histories.inputs[place].count))
  }

  /// Whether this many waiting events may be a stall: a large number may be a growing backlog,
  /// unless records show that it does not grow.
  private static func mayStall(_ held: UInt64, _ slot: TraceSlot, _ facts: FindingFacts) -> Bool {
    held <= Backlogs.many || facts.hasEvents && facts.isExact(since: slot.createdAt)
  }

  /// The number of seconds for which nothing has moved; nil if that is not long for this
  /// subscription.
  private static func silence(
    _ slot: TraceSlot,
    _ reason: Reason,
    _ walk: UpstreamWalk,
    _ facts: FindingFacts,
    until end: UInt64
  ) -> Double? {
    var last = max(slot.lastEventAt, slot.createdAt)
    var gap = facts.usualGap(slot)
    switch reason {
    case .queue: break
    case .endless(let running, _):
      let oldest = running.map(\.createdAt).min() ?? slot.createdAt
      return facts.isSettled(oldest) ? facts.seconds(from: oldest, to: end) : nil
    case .inner(let inner):
      last = max(last, inner.lastEventAt, inner.createdAt)
      if gap == nil { gap = facts.usualGap(inner) }
    case .partner(_, let zip):
      // The other side must still be sending.
      guard zip.ahead.lastEventAt > slot.lastEventAt else { return nil }
    }
    let silence = facts.seconds(from: last, to: end)
    if let gap { return silence >= max(minimumSilence, gap * gapFactor) ? silence : nil }
    if case .partner = reason { return nil }
    return silence >= firstSilence && facts.isSettled(last) ? silence : nil
  }

  private static func proof(_ reason: Reason, _ row: TraceSite) -> [String] {
    guard case .endless(_, let source) = reason, !source.traits.contains(.subject) else {
      return []
    }
    return [
      "\(row.place) begins an inner signal when one that runs has ended",
      "\(source.place), which what runs follows, never ends by itself",
      "no operator between ends it",
    ]
  }

  private static func ruledOut(
    _ slot: TraceSlot,
    _ reason: Reason,
    _ silence: Double,
    _ facts: FindingFacts
  ) -> [String] {
    guard !reason.isEndless else { return [] }
    let time = Duration.seconds(silence).brief
    let usual =
      facts.usualGap(slot).map {
        "a pause like those before: \(time) is at least \(Int(gapFactor)) times the usual "
          + "\(Duration.seconds($0).brief)"
      } ?? "something that has only begun: nothing has moved for \(time)"
    if case .partner(_, let zip) = reason {
      return [
        usual, "silence on both sides: \(facts.site(zip.ahead.site).place) has gone on sending",
      ]
    }
    return [usual, "nothing to do: what waits is known to be on its way"]
  }

  private static func draft(
    _ slot: TraceSlot,
    _ reason: Reason,
    _ silence: Double,
    _ numbers: [UInt64],
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(slot.site)
    let time = Duration.seconds(silence).brief
    let usual = facts.usualGap(slot).map {
      ", where one came every \(Duration.seconds($0).brief) before"
    }
    let sentence: String
    let remedy: String
    let held: UInt64
    var members = [slot]
    switch reason {
    case .queue:
      held = UInt64(slot.depth)
      sentence =
        "\(Words.count(held, "event")) or more \(held == 1 ? "waits" : "wait") here to be delivered, and none has "
        + "been for \(time)\(usual ?? ""): the queue is busy with something else, or blocked."
      remedy =
        "Look at what runs on the scheduler of \(row.place): a handler that waits, or works for long, holds up "
        + "everything behind it."
    case .endless(let running, let source):
      members += running
      held = UInt64(slot.depth)
      let names = Set(running.map { facts.site($0.site).place }).sorted().joined(separator: ", ")
      sentence =
        "\(Words.count(held, "inner signal")) \(held == 1 ? "waits" : "wait") here for \(names) to "
        + "end, which after \(time) still runs"
        + (source.traits.contains(.subject)
          ? ": it ends only if the program completes \(source.place)."
          : " and cannot end, because \(source.place) does not.")
      remedy =
        "End \(names) with take, take(until:) or a timeout, let the newest replace it (flatMapLatest), or run all at once (flatMap, merge) "
        + "instead of \(row.place)."
    case .inner(let inner):
      let source = walk.source(upstreamOf: inner)
      members += source.id == inner.id ? [inner] : [inner, source]
      held = UInt64(slot.depth)
      let (last, first) = (facts.site(inner.site).place, facts.site(source.site).place)
      let follows =
        first == last
        ? "" : " It follows \(first), which \(facts.progress(of: source)) and has not ended."
      sentence =
        "\(Words.count(held, "inner signal")) \(held == 1 ? "waits" : "wait") here for "
        + "\(last) to end, from which nothing has come for \(time)\(usual ?? "").\(follows)"
      remedy =
        "Find out why \(first) does not end: its work may wait for an answer that never comes. To go on nevertheless, bound it with timeout(each:) "
        + "or take(until:)."
    case .partner(let partner, let zip):
      members += zip.inputs
      held = zip.held
      sentence =
        "\(Words.count(held, "value")) of \(facts.site(zip.ahead.site).place) \(held == 1 ? "waits" : "wait") here "
        + "for a partner, and \(facts.site(partner.site).place) has sent nothing for \(time)\(usual ?? "")."
      remedy =
        "Find out why \(facts.site(partner.site).place) sends nothing: rxtop explain FILE "
        + "subscription LINE shows where it stops."
    }
    return FindingDraft(
      kind: .stall,
      site: slot.site,
      subject: slot.key,
      summary: reason.isEndless
        ? "\(held) waiting behind what never ends" : "\(held) waiting, nothing for \(time)",
      sentence: sentence,
      remedy: remedy,
      evidence: Evidence(
        events: numbers,
        counters: ["waiting \(held)", "events \(slot.eventCount)"]
          + (reason.isEndless ? [] : ["silent for \(time)"])
      ),
      members: members,
      affected: [slot.key],
      cap: numbers.isEmpty && !reason.isEndless
        ? "SUSPECT at most: the record of what waits is not in this trace." : nil,
      rank: Rank(live: held, age: silence),
      upstreamChain: walk.chain(upstreamOf: slot.site),
      proof: proof(reason, row),
      ruledOut: ruledOut(slot, reason, silence, facts)
    )
  }
}

extension FindingFacts {
  /// How far a subscription that runs has come: "began 2 s ago, has sent nothing".
  fileprivate func progress(of slot: TraceSlot) -> String {
    let begun = "began \(Duration.seconds(age(slot.createdAt)).brief) ago"
    guard slot.eventCount > 0 else { return "\(begun), has sent nothing" }
    let last = Duration.seconds(age(slot.lastEventAt)).brief
    return "\(begun), sent its last value \(last) ago"
  }
}
