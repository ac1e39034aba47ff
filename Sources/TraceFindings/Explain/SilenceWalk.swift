import TraceReading

/// Walks upstream from a subscription that receives nothing to find the reason.
struct SilenceWalk {
  let reasons: Reasons
  let facts: FindingFacts
  private let upstream: UpstreamWalk

  /// The maximum number of subscriptions of a line that are searched for an affected one.
  private static let limit = 64

  init(_ reasons: Reasons) {
    self.reasons = reasons
    facts = reasons.context.facts
    upstream = reasons.context.walk
  }

  /// The first subscription that the worst finding affects, with the index of that finding.
  func accused(among all: [TraceSlot]) -> (slot: TraceSlot, finding: Int)? {
    guard reasons.findings.contains(where: { !$0.affected.isEmpty }) else { return nil }
    return all.prefix(Self.limit).compactMap { slot in
      reasons.places(affecting: reasons.involved(path(from: slot))).first.map { (slot, $0) }
    }
    .min { $0.1 < $1.1 }
  }

  /// The oldest subscription downstream of which the worst finding affects something.
  func concerned(among all: [TraceSlot]) -> TraceSlot? {
    guard reasons.findings.contains(where: { !$0.affected.isEmpty }) else { return nil }
    return all.prefix(Self.limit).compactMap { slot in
      reasons.places(affecting: downstream(of: slot)).first.map { (slot: slot, finding: $0) }
    }
    .min { $0.finding < $1.finding }?.slot
  }

  /// The serials of everything downstream of a subscription.
  private func downstream(of slot: TraceSlot) -> Set<UInt64> {
    var serials: Set<UInt64> = []
    var here = slot
    while let next = facts.slot(here.link), serials.insert(next.serial).inserted { here = next }
    return serials
  }

  /// The path from a subscription upstream, along which its events arrive.
  private func path(from start: TraceSlot) -> [TraceSlot] {
    var path = [start]
    var seen: Set<TraceID> = [start.id]
    while let last = path.last, let next = nextUpstream(of: last), seen.insert(next.id).inserted,
      path.count < 512
    {
      path.append(next)
    }
    return path
  }

  func name(_ slot: TraceSlot) -> String {
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

  /// Whether the backtrace of a subscription begins with the caller that made it.
  ///
  /// This holds for a subscription without a downstream, and for the stages made together with it.
  private func hasCaller(_ start: TraceSlot) -> Bool {
    guard facts.hasCallers else { return false }
    var root = start
    var seen: Set<TraceID> = [start.id]
    while let downstream = facts.slot(root.link), seen.insert(downstream.id).inserted {
      root = downstream
    }
    return root.link == .none && root.chain == start.chain
  }

  func explain(_ start: TraceSlot) -> Explanation {
    var explanation = Explanation(
      .subscription,
      "subscription \(start.key.label): \(name(start)), made \(brief(start.createdAt)) ago"
    )
    explanation.chain = start.chain
    explanation.action = hasCaller(start) ? .subscribed : nil
    explanation.addName(of: TraceID(rawValue: start.signal), facts)
    if start.state == .ended {
      explanation.steps = [step(start)]
      explanation.answer =
        "It has ended: nothing arrives any more. Its closures have not been freed yet."
      let places = reasons.places(affecting: reasons.involved(ended: start.serial))
      explanation.addFindings(
        places.map { reasons.findings[$0] },
        others: [],
        isDownstream: reasons.hasEndedNormally(start.serial)
      )
      return explanation
    }
    let path = path(from: start)
    let places = reasons.places(affecting: reasons.involved(path))
    let findings = places.map { reasons.findings[$0] }
    // Among the stages that do not forward all values of their upstream, `stop` is the one nearest
    // to the source, and `first` the one nearest to the subscriber.
    let stop = path.indices.dropLast().last { index in
      lagsBehind(path[index], path[index + 1])
    }
    let first = path.indices.dropLast().first { lagsBehind(path[$0], path[$0 + 1]) }
    let isSteady = first == nil && start.eventCount > 0 && isUsual(start)
    explanation.steps = path.map(step)
    let last = path[path.count - 1]
    // An operator whose next part cannot begin is to blame for what a filter downstream waits for.
    let waiting = path.indices.lazy.compactMap { index in
      Stalls.waitingParts(in: path[index], reasons.context).map { (index, $0) }
    }.first
    if let place = first {
      let blamed = waiting.flatMap { $0.1.filter?.id == path[place].id ? $0.0 : nil }
      explanation.steps[blamed ?? place].isCulprit = true
      let (here, source) = (path[place], path[place + 1])
      explanation.answer = held(here, source, isBlamed: blamed == nil)
      if let stop, stop > place {
        explanation.known.append("\(name(path[stop])) also lets through less than comes to it")
      }
      if let why = NothingPasses.sentence(of: here, reasons.context) {
        if findings.isEmpty { explanation.answer += " \(why)" }
      } else if findings.isEmpty {
        explanation.unknown.append(reason(here))
      }
      if let inner = inner(of: here) {
        explanation.known.append("\(name(inner)) runs in \(name(here)): \(note(inner))")
      }
    } else if isSteady {
      let last = "\(brief(start.lastEventAt)) ago, as is usual here"
      explanation.answer =
        findings.isEmpty
        ? holdings(of: path).map { "The last value arrived \(last), but \($0)." }
          ?? "Nothing is held up: the last value arrived \(last)."
        : "Values arrive, the last \(last), but not all that there could be."
    } else {
      let missed = path.indices.dropLast().first { hasMissed(path[$0], path[$0 + 1]) }
      explanation.steps[missed ?? path.count - 1].isCulprit = true
      explanation.answer =
        missed.map { self.missed(path[$0], path[$0 + 1], source: last) } ?? silent(last)
      if let command = reasons.commands.command(of: path) {
        // That finding also says what the condition has sent.
        if !findings.contains(where: { $0.kind == .refusedExecution }) {
          reasons.commands.describe(
            command,
            isExplained: findings.contains { $0.kind == .endlessExecution },
            in: &explanation
          )
        }
      } else if let pause = pause(of: last) {
        explanation.known.append(pause)
      } else {
        explanation.unknown.append(why(last))
        explanation.known += reasons.senders(to: TraceID(rawValue: last.signal), at: last.site)
      }
      if findings.isEmpty,
        let stuck = path.lazy.compactMap({ NothingPasses.sentence(of: $0, reasons.context) }).first
      {
        explanation.answer += " \(stuck)"
      }
    }
    for (stage, sentence) in replacedInners(of: path)
    where !findings.contains(where: { $0.site == stage.site && $0.kind == .lostValues }) {
      if findings.isEmpty, first.map({ path[$0].id == stage.id }) ?? isSteady {
        explanation.answer += " \(sentence)."
      } else {
        explanation.known.append(sentence)
      }
    }
    explanation.addFindings(
      findings,
      others: reasons.others(at: Set(path.map(\.site)), besides: places)
    )
    if findings.isEmpty, let place = reasons.places(affecting: downstream(of: start)).first {
      explanation.addFindings([reasons.findings[place]], others: [], isDownstream: true)
    }
    if let (index, waiting) = waiting, waiting.level < .suspect {
      explanation.known.append("\(name(path[index])): \(Stalls.sentence(of: waiting, facts))")
    }
    explanation.known += known(path)
    if facts.loss != nil {
      explanation.unknown.append(
        "what is missing, as this trace is incomplete: \(facts.loss ?? "")"
      )
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

  /// The upstream subscription to follow.
  ///
  /// If the operator pairs values or still waits for first values, this is the input with the
  /// fewest events; otherwise the input that sent last.
  private func nextUpstream(of slot: TraceSlot) -> TraceSlot? {
    let all = upstream.upstreams(of: slot)
    let traits = facts.site(slot.site).traits
    if traits.fate == .pairs || (slot.eventCount == 0 && traits.contains(.waitsForAll)) {
      return all.min { ($0.eventCount, $0.serial) < ($1.eventCount, $1.serial) }
    }
    if let next = all.max(by: { ($0.lastEventAt, $1.serial) < ($1.lastEventAt, $0.serial) }) {
      return next
    }
    // From a subscriber of a shared signal, the walk continues at the shared subscription; from a
    // signal of a command or an action, it continues at the execution.
    return facts.slots.first {
      $0.isLiveSubscription && $0.signal == slot.signal && $0.link == .none && $0.id != slot.id
        && slot.signal != 0
        && ($0.site == slot.site || facts.site($0.site).traits.contains(.executes))
    }
  }

  /// Whether `upper` sent values that `lower` did not forward.
  private func lagsBehind(_ lower: TraceSlot, _ upper: TraceSlot) -> Bool {
    guard upper.eventCount > 0 else { return false }
    if lower.eventCount == 0 { return upper.lastEventAt >= lower.createdAt }
    return upper.lastEventAt > lower.lastEventAt
      && facts.seconds(from: lower.lastEventAt, to: upper.lastEventAt) > 0.001
      && !isUsual(lower)
  }

  /// Whether a subscriber of a shared signal came after all values of the shared subscription, and
  /// the signal keeps none for later subscribers.
  private func hasMissed(_ subscriber: TraceSlot, _ shared: TraceSlot) -> Bool {
    let traits = facts.site(subscriber.site).traits
    return subscriber.site == shared.site && subscriber.signal == shared.signal
      && traits.contains(.shares) && !traits.contains(.replays) && subscriber.eventCount == 0
      && shared.eventCount > 0 && shared.lastEventAt < subscriber.createdAt
  }

  private func missed(_ here: TraceSlot, _ shared: TraceSlot, source: TraceSlot) -> String {
    let gap = Duration.seconds(facts.seconds(from: shared.lastEventAt, to: here.createdAt)).brief
    let isSourceSilent = source.id != shared.id && source.lastEventAt <= here.createdAt
    return
      "\(name(here)) is where it stops: it had sent \(Words.count(shared.eventCount, "value")) before \(here.key.label) came, the last \(gap) before, "
      + "keeps none for later subscribers, and has sent none since."
      + (isSourceSilent ? " Nothing has come from \(name(source)) since then, either." : "")
  }

  private func held(_ here: TraceSlot, _ source: TraceSlot, isBlamed: Bool) -> String {
    let since =
      here.eventCount == 0
      ? "nothing has ever passed" : "nothing has passed for \(brief(here.lastEventAt))"
    let comes =
      "\(name(source)) sent \(Words.count(source.eventCount, "value")), the last \(brief(source.lastEventAt)) ago"
    let holds = here.depth > 0 ? "; it holds \(here.depth)" : ""
    guard isBlamed else { return "At \(name(here)), \(since)\(holds), though \(comes)." }
    return "\(name(here)) is where it stops: \(since) there\(holds), though \(comes)."
  }

  private func silent(_ last: TraceSlot) -> String {
    let location = "\(name(last)) is the first that is silent"
    guard last.eventCount > 0 else {
      return
        "\(location): it has sent nothing since it was subscribed to \(brief(last.createdAt)) ago."
    }
    let usual = facts.usualGap(last).map {
      ", where one came every \(Duration.seconds($0).brief) before"
    }
    return "\(location): its last value came \(brief(last.lastEventAt)) ago\(usual ?? "")."
  }

  /// Whether the silence is normal: hardly longer than the usual gap between values, or no longer
  /// than an earlier gap.
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
    if traits.contains(.queuesInner) {
      return "what the inner signal of \(name(here)) waits for"
    }
    guard traits.fate == .drops else { return "what \(name(here)) decides by" }
    return facts.level(ofSite: here.site) < .values
      ? "which values \(name(here)) dropped: RXTRACE=values records what they were"
      : "the rule by which \(name(here)) drops values"
  }

  /// Says that an operator waits before it subscribes to its source again; nil if no timer shows
  /// that.
  private func pause(of last: TraceSlot) -> String? {
    guard facts.site(last.site).traits.contains(.retries), upstream.upstreams(of: last).isEmpty,
      let timer = facts.slots.first(where: {
        $0.kind == .timer && $0.state == .active && $0.link == last.id
      })
    else { return nil }
    return
      "\(name(last)) pauses before it subscribes to its source again: its timer \(timer.key.label) was armed \(brief(timer.createdAt)) ago"
  }

  /// The inner signal that is running while others wait for it to end.
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
      // If later values were not recorded, as at level `graph`, the last record is not of the last
      // value.
      guard let record = recordsBySlot[slot.id]?.last(where: { $0.kind == .next }),
        facts.areEventsRecorded(ofSite: slot.site, at: slot.lastEventAt)
      else { return nil }
      return "the last value at \(name(slot)) is event #\(record.number)"
    }
  }
}
