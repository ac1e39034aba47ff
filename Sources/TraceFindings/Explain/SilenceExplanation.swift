import TraceModel
public import TraceReading

/// Explains why nothing arrives at a subscription by walking upstream to the first silent signal.
public enum SilenceExplanation {
  /// Walks upstream from a subscription.
  ///
  /// If findings explain why the subscription receives nothing or too few values, the answer
  /// contains the worst of them and its remedy.
  ///
  /// - Parameters:
  ///   - serial: The number of the subscription in the order of creation, as screens show it.
  ///   - snapshot: The trace.
  ///   - now: The instant up to which ages are computed, as the time since the recording began; nil
  ///     stands for the present if the program is running, and else for its last sign of life.
  /// - Returns: Each stage up to the silent one, and the answer; for an ended subscription, what
  ///   ended it, if that is known.
  /// - Throws: ``ExplainError`` if there is neither such a subscription at the end of the trace nor
  ///   a record of what ended it; the error says what is known about the number.
  /// - Complexity: That of searching for findings, and O(slots + records) to find the last event.
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
    return SilenceWalk(reasons).explain(start)
  }

  /// Explains the end of a subscription, with the findings about it; nil if neither is known.
  private static func ofEnd(
    _ serial: UInt64,
    in snapshot: TraceSnapshot,
    _ reasons: Reasons
  ) -> Explanation? {
    let places = reasons.places(affecting: reasons.involved(ended: serial))
    var explanation = EndExplanation.of(serial, in: snapshot)
    let refusal = reasons.refusal(ofRequestBy: serial)
    let held = heldValue(serial, reasons)
    if explanation == nil, !places.isEmpty || refusal != nil || held != nil {
      explanation = Explanation(.subscription, absence(of: serial, in: snapshot))
      explanation?.answer = "It has ended: nothing arrives any more."
    }
    if let held { explanation?.answer += " \(held)" }
    let findings = places.map { reasons.findings[$0] }
    if let refusal {
      let isExplained = findings.contains { $0.kind == .refusedExecution }
      explanation?.answer +=
        " The execution that it asked for was refused" + (isExplained ? "." : refusal.reason)
      explanation?.known.append(refusal.counts)
    }
    explanation?.addFindings(findings, others: [], isDownstream: reasons.hasEndedNormally(serial))
    explanation?.known += reasons.senders(toSourcesOf: serial)
    return explanation
  }

  /// Says that an operator upstream, which was made together with a subscription, held a value when
  /// it was ended; nil if there is no such operator.
  private static func heldValue(_ serial: UInt64, _ reasons: Reasons) -> String? {
    guard let values = reasons.context.heldValues, !values.stages.isEmpty,
      let histories = reasons.context.histories,
      let place = histories.place(of: EntityKey(id: .none, serial: serial))
    else { return nil }
    let facts = reasons.context.facts
    let upstream = Set(histories.tree(upstreamOf: place))
    let stage = values.stages.first {
      upstream.contains($0)
        && facts.seconds(from: histories.all[place].createdAt, to: histories.all[$0].createdAt)
          < 0.001
    }
    guard let one = stage.map({ histories.all[$0] }), let end = one.endedAt else { return nil }
    let site = facts.site(one.site)
    return
      "\(site.name)@\(site.location) \(one.key.label) held a value when it was ended at \(Quantity.moment(facts.time(end))): its timer was cancelled, and the value was never sent on."
  }

  /// Walks upstream from a subscription made at a line of code.
  ///
  /// If a finding says that a subscription made there receives nothing or too few values, that
  /// subscription is chosen, or else a live one upstream of a subscription of which a finding says
  /// so. Otherwise the oldest live one is chosen, because on a leaking line the oldest subscription
  /// should have ended first.
  ///
  /// If the subscription that a finding names has ended, its end is explained. If a finding blames
  /// a caller of the function that contains the line, the oldest subscription made for that caller
  /// is chosen, and `place` may also be the line of the caller. If several operators are on the
  /// line, a root subscription is preferred.
  ///
  /// - Parameters:
  ///   - place: The line as `Pane.swift:94` or `App/Pane.swift:94`, optionally after the operator
  ///     and an `@`, as in tables, or a blank: `subscribe@Pane.swift:94`.
  ///   - snapshot: The trace.
  ///   - now: The instant up to which ages are computed, as the time since the recording began; nil
  ///     stands for the present if the program is running, and else for its last sign of life.
  /// - Returns: Each stage up to the silent one, and the answer; the known facts say how the
  ///   subscription was chosen, and among how many. If no subscription made there is live at the
  ///   end of the trace, an end is explained: that of the latest subscription without a value or,
  ///   if all had values, that of the latest one.
  /// - Throws: ``ExplainError`` if no subscription was made there, or if none is live and no record
  ///   tells what ended the latest one.
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
    let walk = SilenceWalk(reasons)
    let accused = walk.accused(among: candidates)
    // What a finding says about a subscription downstream concerns those that are alive.
    let concerned = accused == nil ? walk.concerned(among: candidates) : nil
    if let ended = reasons.ended(at: wanted), ended.finding < accused?.finding ?? .max {
      let isNormal = reasons.hasEndedNormally(ended.serial)
      if !isNormal || (accused == nil && concerned == nil),
        var explanation = ofEnd(ended.serial, in: snapshot, reasons)
      {
        explanation.known.insert(choice(ended.count, isNormal, candidates, place), at: 0)
        return explanation
      }
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
      let absence = absence(at: place, rows.map { facts.sites[$0] })
      if let explanation = ofLatestEnd(at: wanted, absence, in: snapshot, reasons) {
        return explanation
      }
      if rows.isEmpty, let nearest = nearest(above: place, facts.sites) {
        throw ExplainError(
          "\(absence); the nearest line above where something was made is \(nearest), and rxtop --once shows all that there are"
        )
      }
      throw ExplainError(
        "\(absence); a place is a file and a line, as in Pane.swift:94, and rxtop --once shows all that there are"
      )
    }
    guard candidates.count > 1 else { return walk.explain(oldest) }
    let all = "\(candidates.count) subscriptions made at \(place) that are alive"
    if let accused {
      var explanation = walk.explain(accused.slot)
      explanation.known.insert("of \(all) it is the oldest that a finding accuses", at: 0)
      return explanation
    }
    if let concerned {
      var explanation = walk.explain(concerned)
      explanation.known.insert(
        "of \(all) it is the oldest upstream of what a finding affects", at: 0)
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

  /// Explains the end of the latest subscription made at sites where none is live any more; if some
  /// of them had no value, the end of the latest of these.
  ///
  /// Returns nil if no record tells what ended that subscription.
  private static func ofLatestEnd(
    at sites: Set<UInt32>,
    _ absence: String,
    in snapshot: TraceSnapshot,
    _ reasons: Reasons
  ) -> Explanation? {
    let facts = reasons.context.facts
    let ended = (reasons.context.histories?.all ?? []).filter {
      sites.contains($0.site) && !$0.isLive && $0.creation != 0
    }
    let roots = ended.filter { facts.site($0.site).traits.contains(.root) }
    let all = roots.isEmpty ? ended : roots
    let silent = all.filter { $0.events == 0 }
    guard let one = (silent.isEmpty ? all : silent).max(by: { $0.creation < $1.creation }),
      var explanation = ofEnd(one.key.serial, in: snapshot, reasons)
    else { return nil }
    if all.count > 1 {
      let which =
        silent.isEmpty
        ? "the latest of them"
        : silent.count == 1
          ? "the only one without a value" : "the latest of \(silent.count) without a value"
      explanation.known.insert("\(absence); this is \(which)", at: 0)
    }
    return explanation
  }

  /// Says how an ended subscription was chosen.
  private static func choice(
    _ count: Int,
    _ isNormal: Bool,
    _ living: [TraceSlot],
    _ place: String
  ) -> String {
    let which =
      switch (count, isNormal) {
      case (1, true): "it has completed, and a finding accuses what is downstream of it"
      case (_, true):
        "it is the oldest of \(count) that have ended upstream of what a finding accuses"
      case (1, false): "it has ended, and a finding accuses it"
      default: "it is the oldest of \(count) that have ended and that a finding accuses"
      }
    guard let oldest = living.first else { return which }
    let others =
      living.count == 1
      ? "another one made at \(place) is alive: \(oldest.key.label)"
      : "\(living.count) others made at \(place) are alive; the oldest is \(oldest.key.label)"
    return "\(which); \(others)"
  }

  /// The callers that findings blame, in the order of the findings, each with the oldest
  /// subscription that was made for that caller.
  private static func blamed(
    _ reasons: Reasons
  ) -> some Sequence<(oldest: EntityKey, caller: Caller)> {
    // Callers are looked up only as far as needed.
    reasons.findings.lazy.compactMap { finding in
      finding.callers?.blamed.flatMap { share in share.oldest.map { ($0, share.caller) } }
    }
  }

  /// Says that no subscription made at a place is alive.
  private static func absence(at place: String, _ sites: [TraceSite]) -> String {
    if sites.isEmpty { return "nothing in the trace was made at '\(place)'" }
    // If one call makes subscriptions of several operators, the program itself makes one of them.
    let roots = sites.filter { $0.traits.contains(.root) && $0.subscribed > 0 }
    let counted = roots.isEmpty ? sites : roots
    return switch counted.reduce(0, { $0 &+ $1.subscribed }) {
    case 0: "nothing was subscribed to at '\(place)'"
    case 1:
      "the only subscription made at '\(place)' is not alive at the end of the trace\(ends(counted))"
    case let count:
      "none of the \(count) subscriptions made at '\(place)' is alive at the end of the trace\(ends(counted))"
    }
  }

  /// The maximum number of lines between a line of code and the nearest one above.
  private static let nearby: UInt32 = 30

  /// The nearest line above a place in the same file at which something was subscribed to, such as
  /// the operator to which the closure with that place was passed; nil if none is nearby.
  private static func nearest(above place: String, _ sites: [TraceSite]) -> String? {
    let text = place.split { $0 == "@" || $0 == " " }.last ?? ""
    guard let colon = text.lastIndex(of: ":"),
      let line = UInt32(text[text.index(after: colon)...])
    else { return nil }
    let file = text[..<colon]
    let nearest = sites.filter { site in
      site.subscribed > 0 && site.line < line && line - site.line <= nearby
        && [site.location, "\(site.file):\(site.line)"].contains {
          $0.isSpelled("\(file):\(site.line)")
        }
    }
    .max {
      ($0.line, $0.traits.contains(.root) ? 1 : 0) < ($1.line, $1.traits.contains(.root) ? 1 : 0)
    }
    return nearest.map { "\($0.name)@\($0.location)" }
  }

  /// How the subscriptions of the given sites ended, such as `: 30 cancelled, 1 failed`.
  private static func ends(_ sites: [TraceSite]) -> String {
    let texts = EndReason.allCases.enumerated().compactMap { index, reason -> String? in
      let count = sites.reduce(0 as UInt64) { sum, site in
        sum &+ (site.ended.indices.contains(index) ? site.ended[index] : 0)
      }
      return count == 0 ? nil : "\(count) \(reason.text)"
    }
    return texts.isEmpty ? "" : ": \(texts.joined(separator: ", "))"
  }

  /// Says what the given number refers to, if no subscription has it at the end of the trace.
  private static func absence(of serial: UInt64, in snapshot: TraceSnapshot) -> String {
    let store = EntityStore(snapshot)
    guard let entry = store.life(EntityKey(id: .none, serial: serial)) else {
      return "the trace has no record of subscription #\(serial)"
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
  /// Whether a text refers to the site as `Pane.swift:94`, with or without the module and the
  /// operator.
  fileprivate func isAt(_ place: String) -> Bool {
    [location, "\(file):\(line)", "\(name)@\(location)", "\(name)@\(file):\(line)"]
      .contains { $0.isSpelled(place) }
  }
}
