import TraceModel
public import TraceReading

/// Why nothing arrives: upstream from a subscription to the first signal that is silent.
public enum SilenceExplanation {
  /// Walks upstream from a subscription.
  ///
  /// Where findings explain why it receives nothing, or less than there is, the worst of them is in
  /// the answer, with the remedy.
  ///
  /// - Parameters:
  ///   - serial: Its number in the order of creation, as screens show it.
  ///   - snapshot: The trace.
  ///   - now: The instant to which ages are computed, since the recording began; nil for the
  ///     present of a running program, and the last sign of life of another.
  /// - Returns: Each stage up to the silent one, and the answer; for an ended subscription, what
  ///   ended it, where that is known.
  /// - Throws: ``ExplainError`` if there is neither such a subscription at the end of the trace nor
  ///   a record of what ended it, with what is known about the number.
  /// - Complexity: That of the findings; O(slots), and O(records) to find the last event.
  public static func of(
    _ serial: UInt64,
    in snapshot: TraceSnapshot,
    now: Duration? = nil
  ) throws(ExplainError) -> Explanation {
    let reasons = Reasons(snapshot, now: now ?? snapshot.present ?? .zero)
    let start = reasons.context.facts.slots.first {
      $0.serial == serial && $0.kind == .subscription
    }
    if start == nil || start?.state == .ended,
      let explanation = ofEnd(serial, in: snapshot, reasons)
    {
      return explanation
    }
    guard let start else {
      throw ExplainError(
        "\(absence(of: serial, in: snapshot)); rxtop --once --screen subscriptions lists those that are alive at the end of the trace"
      )
    }
    return Walk(reasons).explain(start)
  }

  /// What ended a subscription, and the findings about it; nil where neither is known.
  private static func ofEnd(
    _ serial: UInt64,
    in snapshot: TraceSnapshot,
    _ reasons: Reasons
  ) -> Explanation? {
    let places = reasons.places(affecting: reasons.involved(ended: serial))
    var explanation = EndExplanation.of(serial, in: snapshot)
    if explanation == nil, !places.isEmpty {
      explanation = Explanation(.subscription, absence(of: serial, in: snapshot))
      explanation?.answer = "It has ended: nothing arrives any more."
    }
    explanation?.addFindings(places.map { reasons.findings[$0] }, others: [])
    return explanation
  }

  /// Walks upstream from a subscription made at a line of code: one that a finding says receives
  /// nothing, or less than there is, if any, and otherwise the oldest live one, which on a leaking
  /// line is the one that should have ended first.
  ///
  /// The subscription that a finding names may have ended; then the explanation is of its end.
  /// Where a finding blames a caller of the function that contains the line, it is the oldest
  /// subscription made for that caller; the line of the caller is accepted as the place, too. Where
  /// several operators are on the line, a root subscription is preferred.
  ///
  /// - Parameters:
  ///   - place: `Pane.swift:94`, `App/Pane.swift:94`, or, as tables show it,
  ///     `subscribe@Pane.swift:94`, or with a blank instead of the `@`.
  ///   - snapshot: The trace.
  ///   - now: The instant to which ages are computed, since the recording began; nil for the
  ///     present of a running program, and the last sign of life of another.
  /// - Returns: Each stage up to the silent one, and the answer; the known facts say among how many
  ///   subscriptions it was chosen, and how.
  /// - Throws: ``ExplainError`` if no subscription made there is alive at the end of the trace, nor accused.
  /// - Complexity: As ``of(_:in:now:)``.
  public static func of(
    place: String,
    in snapshot: TraceSnapshot,
    now: Duration? = nil
  ) throws(ExplainError) -> Explanation {
    let reasons = Reasons(snapshot, now: now ?? snapshot.present ?? .zero)
    let facts = reasons.context.facts
    let rows = facts.sites.indices.filter { facts.sites[$0].isAt(place) }
    let wanted = Set(rows.map { UInt32($0) })
    let living = facts.slots.filter { slot in
      slot.kind == .subscription && slot.state != .ended && wanted.contains(slot.site)
    }
    let roots = living.filter { facts.site($0.site).traits.contains(.root) }
    let candidates = (roots.isEmpty ? living : roots).sorted { $0.serial < $1.serial }
    let walk = Walk(reasons)
    let accused = walk.accused(among: candidates)
    if let ended = reasons.ended(at: wanted), ended.finding < accused?.finding ?? .max,
      var explanation = ofEnd(ended.serial, in: snapshot, reasons)
    {
      explanation.known.insert(choice(ended.count, candidates, place), at: 0)
      return explanation
    }
    guard let oldest = candidates.first, let newest = candidates.last else {
      if rows.isEmpty,
        let one = blamed(reasons).first(where: {
          [$0.caller.location, $0.caller.label].contains(place)
        })
      {
        var explanation = try of(one.oldest.serial, in: snapshot, now: now)
        explanation.known.insert(
          "it is the oldest made for \(one.caller.text), which a finding blames",
          at: 0
        )
        return explanation
      }
      throw ExplainError(refusal(place, rows.map { facts.sites[$0] }))
    }
    guard candidates.count > 1 else { return walk.explain(oldest) }
    let all = "\(candidates.count) subscriptions made at \(place) that are alive"
    if let accused {
      var explanation = walk.explain(accused.slot)
      explanation.known.insert("of \(all) it is the oldest that a finding accuses", at: 0)
      return explanation
    }
    let byKey = Dictionary(candidates.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let blamed = blamed(reasons).first { byKey[$0.oldest] != nil }
    var explanation = walk.explain(blamed.flatMap { byKey[$0.oldest] } ?? oldest)
    let which =
      blamed.map { "of \(all) it is the oldest made for \($0.caller.text), which a finding blames" }
      ?? "it is the oldest of \(all)"
    explanation.known.insert("\(which); the newest is \(newest.key.label)", at: 0)
    return explanation
  }

  /// How an ended subscription was chosen.
  private static func choice(_ count: Int, _ living: [TraceSlot], _ place: String) -> String {
    let which =
      count == 1
      ? "it has ended, and a finding accuses it"
      : "it is the oldest of \(count) that have ended and that a finding accuses"
    guard let oldest = living.first else { return which }
    let others =
      living.count == 1
      ? "another one made at \(place) is alive: \(oldest.key.label)"
      : "\(living.count) others made at \(place) are alive; the oldest is \(oldest.key.label)"
    return "\(which); \(others)"
  }

  /// The callers that findings blame, the worst finding first, each with the oldest subscription
  /// that was made for it.
  private static func blamed(
    _ reasons: Reasons
  ) -> some Sequence<(oldest: EntityKey, caller: Caller)> {
    // Callers are looked up only as far as needed.
    reasons.findings.lazy.compactMap { finding in
      finding.callers?.blamed.flatMap { share in share.oldest.map { ($0, share.caller) } }
    }
  }

  /// Why there is nothing to explain at a place.
  private static func refusal(_ place: String, _ sites: [TraceSite]) -> String {
    let what =
      if sites.isEmpty {
        "nothing in the trace was made at '\(place)'"
      } else {
        switch sites.reduce(0, { $0 &+ $1.subscribed }) {
        case 0: "nothing was subscribed to at '\(place)'"
        case 1:
          "the only subscription made at '\(place)' is not alive at the end of the trace\(ends(sites))"
        case let count:
          "none of the \(count) subscriptions made at '\(place)' is alive at the end of the trace\(ends(sites))"
        }
      }
    return what
      + "; a place is a file and a line, as in Pane.swift:94, and rxtop --once shows all that there are"
  }

  /// `: 30 cancelled, 1 failed`.
  private static func ends(_ sites: [TraceSite]) -> String {
    let texts = EndReason.allCases.enumerated().compactMap { index, reason -> String? in
      let count = sites.reduce(0 as UInt64) { sum, site in
        sum &+ (site.ended.indices.contains(index) ? site.ended[index] : 0)
      }
      return count == 0 ? nil : "\(count) \(reason.text)"
    }
    return texts.isEmpty ? "" : ": \(texts.joined(separator: ", "))"
  }

  /// The entity with a serial that no subscription has at the end.
  private static func absence(of serial: UInt64, in snapshot: TraceSnapshot) -> String {
    let store = EntityStore(snapshot)
    guard let entry = store.life(EntityKey(id: .none, serial: serial)) else {
      return "nothing in the trace tells of a subscription #\(serial)"
    }
    let label = snapshot.label(ofSite: entry.site)
    if entry.kind == .subscription {
      return "subscription #\(serial), \(label), \(end(of: entry, store, in: snapshot))"
    }
    let what =
      switch entry.kind {
      case .signal: "a signal"
      case .timer: "a timer"
      case .owner: "an owner of subscriptions"
      case .none, .subscription: "something else"
      }
    return
      "#\(serial) \(store.end(entry) == nil ? "is" : "was") \(what), \(label), not a subscription"
  }

  private static func end(
    of entry: EntityStore.Life,
    _ store: EntityStore,
    in snapshot: TraceSnapshot
  ) -> String {
    guard entry.hasEnded, let ticks = store.end(entry) else {
      return "is not alive at the end of the trace, and no record tells when it ended"
    }
    let time = Quantity.moment(snapshot.time(ticks))
    return entry.isEndUnknown ? "had ended by \(time)" : "ended at \(time)"
  }
}

extension TraceSite {
  /// Whether a user may refer to it by this text: `Pane.swift:94`, with its module, or with its
  /// operator.
  fileprivate func isAt(_ place: String) -> Bool {
    [location, "\(file):\(line)", "\(name)@\(location)", "\(name)@\(file):\(line)"]
      .contains { $0.isSpelled(place) }
  }
}

/// One walk.
private struct Walk {
  private let reasons: Reasons
  private let facts: FindingFacts
  private let upstream: UpstreamWalk

  /// The maximum number of subscriptions of a line that are searched for an accused one.
  private static let limit = 64

  init(_ reasons: Reasons) {
    self.reasons = reasons
    facts = reasons.context.facts
    upstream = reasons.context.walk
  }

  /// The subscription that the worst finding accuses, the first of several; with the index of the
  /// finding.
  func accused(among all: [TraceSlot]) -> (slot: TraceSlot, finding: Int)? {
    guard reasons.findings.contains(where: { !$0.affected.isEmpty }) else { return nil }
    return all.prefix(Self.limit).compactMap { slot in
      reasons.places(affecting: reasons.involved(path(from: slot))).first.map { (slot, $0) }
    }
    .min { $0.1 < $1.1 }
  }

  /// The path from a subscription upstream, along which its events come.
  private func path(from start: TraceSlot) -> [TraceSlot] {
    var path = [start]
    var seen: Set<TraceID> = [start.id]
    while let last = path.last, let next = above(last), seen.insert(next.id).inserted,
      path.count < 512
    {
      path.append(next)
    }
    return path
  }

  private func name(_ slot: TraceSlot) -> String {
    let site = facts.site(slot.site)
    return "\(site.name)@\(site.location)"
  }

  private func brief(_ ticks: UInt64) -> String { Duration.seconds(facts.age(ticks)).brief }

  private func note(_ slot: TraceSlot) -> String {
    var parts = [Words.count(slot.eventCount, "event")]
    if slot.eventCount > 0 { parts.append("last \(brief(slot.lastEventAt)) ago") }
    if slot.depth > 0 { parts.append("holds \(slot.depth)") }
    if slot.state != .active { parts.append(slot.state == .ended ? "ended" : "being disposed of") }
    return parts.joined(separator: ", ")
  }

  /// Whether its backtrace begins with the caller that made it, as that of a subscription without a
  /// downstream does, and those of the stages that begin with it.
  private func hasCaller(_ start: TraceSlot) -> Bool {
    guard facts.hasCallers else { return false }
    var root = start
    var seen: Set<TraceID> = [start.id]
    while let below = facts.slot(root.link), seen.insert(below.id).inserted { root = below }
    return root.link == .none && root.chain == start.chain
  }

  func explain(_ start: TraceSlot) -> Explanation {
    var explanation = Explanation(
      .subscription,
      "subscription \(start.key.label): \(name(start)), made \(brief(start.createdAt)) ago"
    )
    explanation.chain = start.chain
    explanation.doing = hasCaller(start) ? .subscribed : nil
    explanation.addName(of: TraceID(rawValue: start.signal), facts)
    if start.state == .ended {
      explanation.steps = [step(start)]
      explanation.answer =
        "It has ended: nothing arrives any more. Its closures have not been freed yet."
      let places = reasons.places(affecting: reasons.involved(ended: start.serial))
      explanation.addFindings(places.map { reasons.findings[$0] }, others: [])
      return explanation
    }
    let path = path(from: start)
    let places = reasons.places(affecting: reasons.involved(path))
    let findings = places.map { reasons.findings[$0] }
    // The first stage, from the subscription upwards, whose upstream still receives values.
    let stop = path.indices.dropLast().last { index in
      isBehind(path[index], path[index + 1])
    }
    let first = path.indices.dropLast().first { isBehind(path[$0], path[$0 + 1]) }
    explanation.steps = path.map(step)
    let last = path[path.count - 1]
    if let place = first {
      explanation.steps[place].isCulprit = true
      let (here, source) = (path[place], path[place + 1])
      explanation.answer = held(here, source)
      if let stop, stop > place {
        explanation.known.append("\(name(path[stop])) lets less through than comes to it, too.")
      }
      if let why = NothingPasses.sentence(of: here, reasons.context) {
        if findings.isEmpty { explanation.answer += " \(why)" }
      } else if findings.isEmpty {
        explanation.unknown.append(reason(here))
      }
      if let inner = inner(of: here) {
        explanation.known.append("\(name(inner)) runs in \(name(here)): \(note(inner))")
      }
    } else if start.eventCount > 0, isUsual(start) {
      let last = "\(brief(start.lastEventAt)) ago, as is usual here"
      explanation.answer =
        findings.isEmpty
        ? "Nothing is held up: the last value arrived \(last)."
        : "Values arrive, the last \(last), but not all that there could be."
    } else {
      explanation.steps[path.count - 1].isCulprit = true
      explanation.answer = silent(last)
      if let command = reasons.commands.command(of: path) {
        reasons.commands.describe(
          command,
          isExplained: findings.contains { $0.kind == .endlessExecution },
          in: &explanation
        )
      } else {
        explanation.unknown.append(why(last))
      }
      if findings.isEmpty,
        let stuck = path.lazy.compactMap({ NothingPasses.sentence(of: $0, reasons.context) }).first
      {
        explanation.answer += " \(stuck)"
      }
    }
    explanation.addFindings(
      findings,
      others: reasons.others(at: Set(path.map(\.site)), besides: places)
    )
    explanation.known += known(path)
    if facts.loss != nil {
      explanation.unknown.append("what was lost: \(facts.loss ?? "")")
    }
    return explanation
  }

  private func step(_ slot: TraceSlot) -> Explanation.Step {
    let site = facts.site(slot.site)
    return Explanation.Step(
      name: site.name,
      location: site.location,
      entity: slot.key,
      note: "\(slot.key.label)  \(note(slot))"
    )
  }

  /// The input to follow: where values are paired, and where first values are still missing, the
  /// one that is behind; otherwise the one that sent last.
  private func above(_ slot: TraceSlot) -> TraceSlot? {
    let all = upstream.upstreams(of: slot)
    let traits = facts.site(slot.site).traits
    if traits.fate == .pairs || (slot.eventCount == 0 && traits.contains(.waitsForAll)) {
      return all.min { ($0.eventCount, $0.serial) < ($1.eventCount, $1.serial) }
    }
    if let next = all.max(by: { ($0.lastEventAt, $1.serial) < ($1.lastEventAt, $0.serial) }) {
      return next
    }
    // For a shared signal, the subscription that all subscribers share; for a command or an action,
    // the execution.
    return facts.slots.first {
      $0.isLiveSubscription && $0.signal == slot.signal && $0.link == .none && $0.id != slot.id
        && slot.signal != 0
        && ($0.site == slot.site || facts.site($0.site).traits.contains(.executes))
    }
  }

  /// Whether values that reached `upper` were not forwarded to `lower`.
  private func isBehind(_ lower: TraceSlot, _ upper: TraceSlot) -> Bool {
    guard upper.eventCount > 0 else { return false }
    if lower.eventCount == 0 { return upper.lastEventAt >= lower.createdAt }
    return upper.lastEventAt > lower.lastEventAt
      && facts.seconds(from: lower.lastEventAt, to: upper.lastEventAt) > 0.001
      && !isUsual(lower)
  }

  private func held(_ here: TraceSlot, _ source: TraceSlot) -> String {
    let since =
      here.eventCount == 0
      ? "nothing has ever passed" : "nothing has passed for \(brief(here.lastEventAt))"
    let comes =
      "\(name(source)) sent \(Words.count(source.eventCount, "value")), the last \(brief(source.lastEventAt)) ago"
    let holds = here.depth > 0 ? "; it holds \(here.depth)" : ""
    return "\(name(here)) is where it stops: \(since) there\(holds), though \(comes)."
  }

  private func silent(_ last: TraceSlot) -> String {
    let where_ = "\(name(last)) is the first that is silent"
    guard last.eventCount > 0 else {
      return
        "\(where_): it has sent nothing since it was subscribed to \(brief(last.createdAt)) ago."
    }
    let usual = facts.usualGap(last).map {
      ", where one came every \(Duration.seconds($0).brief) before"
    }
    return "\(where_): its last value came \(brief(last.lastEventAt)) ago\(usual ?? "")."
  }

  /// Whether the silence is normal: no longer than the usual gap, or than an earlier one.
  private func isUsual(_ slot: TraceSlot) -> Bool {
    guard slot.eventCount > 1 else { return false }
    let silence = facts.age(slot.lastEventAt)
    if let gap = facts.usualGap(slot), silence <= gap * 3 { return true }
    let values = facts.records(about: [slot]) { $0 == .next }[slot.id] ?? []
    return zip(values, values.dropFirst())
      .contains { facts.seconds(from: $0.ticks, to: $1.ticks) >= silence }
  }

  private func reason(_ here: TraceSlot) -> String {
    let traits = facts.site(here.site).traits
    if traits.contains(.switchesQueue) { return "what the queue of \(name(here)) is busy with" }
    return traits.contains(.queuesInner)
      ? "what the inner signal of \(name(here)) waits for" : "what \(name(here)) decides by"
  }

  /// The inner signal for which others wait.
  private func inner(of here: TraceSlot) -> TraceSlot? {
    guard facts.site(here.site).traits.contains(.queuesInner) else { return nil }
    return upstream.upstreams(of: here).last
  }

  private func why(_ last: TraceSlot) -> String {
    let traits = facts.site(last.site).traits
    if traits.contains(.hot) { return "whether the program will send to \(name(last)) again" }
    if traits.contains(.timer) {
      return "whether its timer is late or was cancelled outside of the trace"
    }
    return "what the source behind \(name(last)) waits for"
  }

  private func known(_ path: [TraceSlot]) -> [String] {
    let recordsBySlot = facts.records(about: path) { $0 == .next || $0 == .depth }
    return path.compactMap { slot in
      guard let record = recordsBySlot[slot.id]?.last(where: { $0.kind == .next }) else {
        return nil
      }
      return "the last value at \(name(slot)) is event #\(record.number)"
    }
  }
}
