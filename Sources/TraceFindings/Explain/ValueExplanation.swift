import TraceModel
public import TraceReading

/// What happened to one value.
public enum ValueExplanation {
  /// Follows a value downstream from one of its records.
  ///
  /// - Parameters:
  ///   - number: The number of a `next` record, which traces have at level `events` and above, or
  ///     of a `refused` record.
  ///   - snapshot: The trace.
  /// - Returns: Each stage that the value reached, and what happened to it in the end.
  /// - Throws: ``ExplainError`` if the trace has no such record.
  /// - Complexity: O(records).
  public static func of(
    _ number: UInt64,
    in snapshot: TraceSnapshot
  ) throws(ExplainError) -> Explanation {
    let facts = FindingFacts(snapshot)
    guard let place = facts.records.row(ofNumber: number) else {
      throw ExplainError(
        "event #\(number) is not in the trace, or not any more; rxtop --once --screen events lists the latest"
      )
    }
    let record = facts.records[place]
    if record.kind == .refused {
      return Follower(facts, place).refused(record)
    }
    guard record.kind == .next else {
      throw ExplainError(
        "event #\(number) is not a value; rxtop --once --screen events lists values as next"
      )
    }
    return Follower(facts, place).explain(record)
  }
}

/// Follows one value.
private struct Follower {
  private let facts: FindingFacts
  private let place: Int
  private let store: EntityStore

  init(_ facts: FindingFacts, _ place: Int) {
    self.facts = facts
    self.place = place
    store = facts.entities()
  }

  private func subscription(_ id: TraceID) -> EntityStore.Life? {
    store.subscription(id, at: place)
  }

  /// What the operator of a subscription does with values.
  private func fate(_ life: EntityStore.Life?) -> ValueFate {
    life.map { facts.site($0.site).traits.fate } ?? .unknown
  }

  private func name(_ life: EntityStore.Life?) -> String {
    life.map { facts.site($0.site).place } ?? "a subscription that is not in the trace"
  }

  private func step(_ id: TraceID, _ note: String, _ event: UInt64?) -> Explanation.Step {
    let life = subscription(id)
    let site = life.map { facts.site($0.site) }
    return Explanation.Step(
      name: site?.name ?? "?",
      location: site?.location ?? "?",
      entity: life?.key ?? EntityKey(id: id, serial: 0),
      note: note,
      event: event
    )
  }

  func refused(_ record: TraceRecord) -> Explanation {
    var explanation = Explanation(
      .value,
      "event #\(record.number): sent to \(name(subscription(record.entity)))"
    )
    explanation.steps = [step(record.entity, "refused", record.number)]
    explanation.steps[0].isCulprit = true
    explanation.answer =
      "It was dropped: the subscription had been disposed of or had ended when it came."
    return explanation
  }

  func explain(_ record: TraceRecord) -> Explanation {
    var explanation = Explanation(
      .value,
      "event #\(record.number): value \(record.argument) of \(name(subscription(record.entity)))"
    )
    explanation.steps = [step(record.entity, "sent", record.number)]
    if let life = subscription(record.entity) {
      explanation.addName(of: life.signal, facts)
    }
    var here = record
    var index = place
    while true {
      guard let life = subscription(here.entity) else {
        explanation.answer = "Where it went is not in the trace."
        explanation.unknown.append(
          "where it went: the subscription's beginning is not in the trace"
        )
        break
      }
      if facts.site(life.site).traits.contains(.root) || life.link == .none {
        explanation.steps[explanation.steps.count - 1].isCulprit = true
        let isRoot = facts.site(life.site).traits.contains(.root)
        explanation.answer =
          isRoot
          ? "It was delivered to the program at \(name(life))."
          : "It was given to \(name(life)), which shares it with its subscribers."
        break
      }
      if let (next, place) = passed(here, at: index, to: life.link) {
        explanation.steps.append(step(next.entity, "passed", next.number))
        (here, index) = (next, place)
      } else if let (next, place) = sentLater(here, at: index, by: life.link) {
        explanation.steps.append(step(next.entity, "sent later", next.number))
        let time = Duration.seconds(facts.seconds(from: here.ticks, to: next.ticks)).brief
        explanation.known.append("\(name(subscription(next.entity))) kept it for \(time)")
        (here, index) = (next, place)
      } else {
        finish(&explanation, here, index, life.link)
        break
      }
    }
    return explanation
  }

  /// The record with which an operator that keeps the latest value sent this value later, before a
  /// newer value replaced it.
  private func sentLater(
    _ record: TraceRecord,
    at place: Int,
    by link: TraceID
  ) -> (TraceRecord, Int)? {
    guard fate(subscription(link)) == .keepsLatest,
      EndByValue.of(link, at: place, facts, store) == nil
    else { return nil }
    for index in facts.records[(place + 1)...].indices {
      let other = facts.records[index]
      if other.kind == .next, other.entity == record.entity { return nil }
      if other.kind == .next, other.entity == link { return (other, index) }
      if other.kind == .subscriptionReleased, other.entity == link { return nil }
    }
    return nil
  }

  /// The record of the same value one stage further downstream, if it was forwarded at once, or by
  /// an operator that queues or pairs values.
  private func passed(
    _ record: TraceRecord,
    at place: Int,
    to link: TraceID
  ) -> (TraceRecord, Int)? {
    // Operators that queue or pair values send them later in the same order, so the ordinal of the
    // value identifies it at any later time.
    if [.queues, .pairs].contains(fate(subscription(link))) {
      return queued(record, at: place, to: link)
    }
    for index in facts.records[(place + 1)...].indices {
      let other = facts.records[index]
      if other.entity == record.entity, other.kind == .next { return nil }
      guard other.thread == record.thread, record.thread != 0 else { continue }
      if other.kind == .next, other.entity == link { return (other, index) }
      if other.kind == .hopEnded || other.kind == .turnEnded && other.ticks > record.ticks {
        return nil
      }
    }
    return nil
  }

  private func queued(
    _ record: TraceRecord,
    at place: Int,
    to link: TraceID
  ) -> (TraceRecord, Int)? {
    for index in facts.records[(place + 1)...].indices {
      let other = facts.records[index]
      if other.kind == .subscriptionReleased, other.entity == link { return nil }
      if other.kind == .next, other.entity == link, other.argument == record.argument {
        return (other, index)
      }
    }
    return nil
  }

  /// Explains why the value went no further than the stage upstream of `link`.
  private func finish(
    _ explanation: inout Explanation,
    _ record: TraceRecord,
    _ place: Int,
    _ link: TraceID
  ) {
    let life = subscription(link)
    let rest = facts.records[(place + 1)...]
    let end = rest.first {
      ($0.kind == .ended || $0.kind == .disposeRequested) && $0.entity == link
    }
    let newer = rest.first { $0.kind == .next && $0.entity == record.entity }
    var culprit = step(link, "", nil)
    culprit.isCulprit = true
    if let end = EndByValue.of(link, at: place, facts, store) {
      ended(&explanation, &culprit, life, end)
      explanation.steps.append(culprit)
      return
    }
    if let (number, inner) = began(record, place, link) {
      culprit.note = "became a signal"
      culprit.event = number
      explanation.answer =
        "\(name(life)) made the signal of \(facts.site(inner).place) from it and subscribed to that."
      explanation.steps.append(culprit)
      return
    }
    switch fate(life) {
    case .drops:
      culprit.note = "not passed"
      explanation.answer = "It was filtered by \(name(life))."
    case .folds:
      culprit.note = "taken"
      explanation.answer = "It was taken by \(name(life)), which makes one value from several"
      if let sent = rest.first(where: { $0.kind == .next && $0.entity == link }) {
        culprit.event = sent.number
        explanation.answer += "; the next that it sent is event #\(sent.number)."
      } else {
        explanation.answer += "; it has sent none since."
        if let end { explanation.known.append("\(name(life)) \(over(end, since: record))") }
      }
    case .keepsLatest:
      if let newer {
        culprit.note = "replaced"
        culprit.event = newer.number
        explanation.answer = "It was replaced by the next value in \(name(life))."
      } else {
        buffered(&explanation, &culprit, life, end)
      }
    case .queues, .pairs: buffered(&explanation, &culprit, life, end)
    case .unknown, .passes, .flattens:
      culprit.note = "not seen"
      explanation.answer = "It went to \(name(life)) and was not seen any further."
      guard let end else {
        explanation.unknown.append(
          "whether \(name(life)) keeps it, drops it, or makes something else of it"
        )
        break
      }
      explanation.known.append("\(name(life)) \(over(end, since: record))")
      explanation.unknown.append(
        "whether \(name(life)) kept it until then, dropped it, or made something else of it"
      )
    }
    explanation.steps.append(culprit)
  }

  private func ended(
    _ explanation: inout Explanation,
    _ culprit: inout Explanation.Step,
    _ life: EntityStore.Life?,
    _ end: EndByValue
  ) {
    let stage = name(life)
    culprit.note = end.isFailure ? "failed" : "completed"
    culprit.event = end.number
    explanation.answer =
      end.isFailure
      ? "It made \(stage) fail\(end.error.isEmpty ? "" : " with \(end.error)")."
      : "It ended \(stage): that completed because of it."
  }

  /// Describes an end after a value: `ended 4.2 s later, at event #812`.
  private func over(_ end: TraceRecord, since record: TraceRecord) -> String {
    let seconds = facts.seconds(from: record.ticks, to: end.ticks)
    let time = seconds > 0 ? "\(Duration.seconds(seconds).brief) later" : "at the same moment"
    let what = end.kind == .ended ? "ended" : "was disposed of"
    return "\(what) \(time), at event #\(end.number)"
  }

  /// The inner signal that an operator made from a value, if the operator subscribed to it at once.
  private func began(
    _ record: TraceRecord,
    _ place: Int,
    _ link: TraceID
  ) -> (number: UInt64, site: UInt32)? {
    for other in facts.records[(place + 1)...]
    where other.thread == record.thread && record.thread != 0 {
      if other.kind == .next, other.entity == record.entity { return nil }
      if other.kind == .turnEnded || other.kind == .hopEnded { return nil }
      if let creation = other.subscribing, creation.downstream == link {
        return (other.number, creation.site)
      }
    }
    return nil
  }

  private func buffered(
    _ explanation: inout Explanation,
    _ culprit: inout Explanation.Step,
    _ life: EntityStore.Life?,
    _ end: TraceRecord?
  ) {
    if let end {
      culprit.note = "dropped at its end"
      culprit.event = end.number
      explanation.answer =
        "It was dropped by \(name(life)) when that ended, before its turn had come."
      return
    }
    culprit.note = "held"
    if let life, let slot = facts.slot(life.key.id), slot.serial == life.key.serial,
      slot.isLiveSubscription
    {
      explanation.answer =
        "It is still buffered in \(name(life)), which holds \(max(slot.depth, 1))."
    } else {
      explanation.answer = "It was held by \(name(life)); what became of it is not in the trace."
      explanation.unknown.append("whether it was delivered: later records are missing")
    }
  }
}
