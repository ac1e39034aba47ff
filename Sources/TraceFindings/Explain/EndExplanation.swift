import TraceModel
import TraceReading

/// Finds what ended a subscription by following the causes back to the end that caused all others.
struct EndExplanation {
  private let snapshot: TraceSnapshot
  private let store: EntityStore

  /// Follows the end of a subscription; nil if no record says what ended it.
  ///
  /// - Complexity: O(records).
  static func of(_ serial: UInt64, in snapshot: TraceSnapshot) -> Explanation? {
    let store = EntityStore(snapshot)
    guard let entry = store.life(EntityKey(id: .none, serial: serial)),
      let row = row(ofEndOf: entry, store, snapshot),
      EndedBy(ofEndIn: row, snapshot.records) != nil
    else { return nil }
    return EndExplanation(snapshot: snapshot, store: store).explain(entry, row)
  }

  /// What ended a subscription, and what ended with it; nil if no record up to `moment` shows its
  /// end.
  ///
  /// - Complexity: O(records).
  static func account(
    of entry: EntityStore.Life,
    upTo moment: Duration,
    _ store: EntityStore,
    _ snapshot: TraceSnapshot
  ) -> EndingAccount? {
    guard let row = row(ofEndOf: entry, store, snapshot) else { return nil }
    let record = snapshot.records[row]
    let time = snapshot.time(record.ticks)
    guard time <= moment else { return nil }
    let end = EndExplanation(snapshot: snapshot, store: store)
    let explanation = end.explain(entry, row)
    let cause = EndedBy(ofEndIn: row, snapshot.records)
    var account = EndingAccount(event: record.number, time: time, answer: explanation.answer)
    account.chain = explanation.chain
    account.unknown = explanation.unknown
    if cause == nil, snapshot.header.minorVersion < 5 {
      account.answer = "It ended: \(record.endReason?.text ?? "for an unknown reason")."
      account.unknown = [
        "what ended it: recordings of a library before version 1.5 of the format do not say"
      ]
    }
    if explanation.steps.count > 1 {
      account.steps = explanation.steps.compactMap { step in
        step.entity.map {
          .init(key: $0, text: "\(step.name)@\(step.location) \($0.label) \(step.note)")
        }
      }
    }
    if let cause, cause.by != .none, cause.by != entry.key.id {
      account.by = store.life(cause.by, at: cause.row).map {
        AccountedLife($0, upTo: moment, store, snapshot)
      }
    }
    account.trigger = cause.flatMap { end.triggerRow(of: end.first(of: $0)) }
      .map { snapshot.records[$0].number }
    account.addHop(endIn: row, snapshot)
    account.addNeighbours(of: entry.key, endIn: row, store, snapshot)
    return account
  }

  /// The row of the record of the end of a subscription; nil if there is none.
  private static func row(
    ofEndOf entry: EntityStore.Life,
    _ store: EntityStore,
    _ snapshot: TraceSnapshot
  ) -> Int? {
    guard entry.kind == .subscription, let ticks = store.endedAt(entry) else { return nil }
    return snapshot.records.firstRow(
      of: RecordKinds(.ended),
      from: snapshot.records.count(before: ticks),
      where: { $0.entity == entry.key.id && $0.ticks == ticks }
    )
  }

  /// The maximum number of ends in a chain.
  private static let limit = 256

  private func explain(_ entry: EntityStore.Life, _ row: Int) -> Explanation {
    let label = snapshot.label(ofSite: entry.site)
    let moment = Quantity.moment(snapshot.time(snapshot.records[row].ticks))
    var explanation = Explanation(
      .subscription,
      "subscription \(entry.key.label): \(label), which ended at \(moment)"
    )
    var row = row
    var last: EndedBy?
    var seen: Set<Int> = []
    while explanation.steps.count < Self.limit, seen.insert(row).inserted {
      let record = snapshot.records[row]
      let cause = EndedBy(ofEndIn: row, snapshot.records)
      explanation.steps.append(step(record, cause, row))
      last = cause
      guard let cause, cause.cause == .downstream, cause.by != .none,
        let next = EndedBy.end(of: cause.by, after: row, snapshot.records)
      else { break }
      row = next
    }
    explanation.steps[explanation.steps.count - 1].isCulprit = true
    addAnswer(last, snapshot.records[row], &explanation)
    if explanation.steps.count == 1, snapshot.isRefusal(at: row, of: entry.site) {
      explanation.answer =
        "It was refused: its action or command was not enabled when it was asked for. "
        + Self.refusals
    }
    return explanation
  }

  /// The reasons for which an execution can be refused.
  static let refusals =
    "An action or a command that refuses is disabled, has been released, or is executing already."

  private func step(_ record: TraceRecord, _ cause: EndedBy?, _ row: Int) -> Explanation.Step {
    let entry = store.life(record.entity, at: row)
    let site = entry.flatMap { snapshot.site($0.site) }
    let phrase = cause?.phrase(of: record.entity, record.endReason) { name($0, row) } ?? ""
    let isRefusal = entry.map { snapshot.isRefusal(at: row, of: $0.site) } ?? false
    let reason = isRefusal ? "refused" : record.endReason?.text ?? "for an unknown reason"
    return Explanation.Step(
      name: site?.name ?? "?",
      location: site?.location ?? "?",
      entity: entry?.key ?? EntityKey(id: record.entity, serial: 0),
      note: phrase.isEmpty ? reason : "\(reason), \(phrase)",
      event: record.number
    )
  }

  private func name(_ id: TraceID, _ row: Int) -> String {
    store.life(id, at: row).map { "\(snapshot.label(ofSite: $0.site)) \($0.key.label)" } ?? "?"
  }

  /// Adds the answer: what ended first, where, at which value and in which work.
  private func addAnswer(
    _ cause: EndedBy?,
    _ record: TraceRecord,
    _ explanation: inout Explanation
  ) {
    let isFirst = explanation.steps.count == 1
    let who = isFirst ? "It" : explanation.steps.last.map { "\($0.name)@\($0.location)" } ?? "It"
    let reason = record.endReason?.text ?? "for an unknown reason"
    guard let cause else {
      explanation.answer = "\(who) ended: \(reason). What ended it is not in the trace."
      explanation.unknown.append("what ended it: records are missing there")
      return
    }
    let phrase = cause.phrase(of: record.entity, record.endReason) { name($0, cause.row) }
    let isOfOwner = record.endReason == .ownerGone && phrase.isEmpty
    explanation.answer =
      isOfOwner
      ? "\(who) ended because the object that it belonged to is gone"
      : "\(who) ended: \(phrase.isEmpty ? reason : "\(reason), \(phrase)")"
    let first = first(of: cause)
    if first.row != cause.row, first.cause == .event, first.by != cause.by {
      explanation.answer += ", which came from \(name(first.by, first.row))"
    }
    explanation.answer += trigger(of: first)
    explanation.answer += "."
    if record.endReason == .ownerGone, !isOfOwner {
      explanation.known.append("the object that it belonged to is gone")
    }
    if let row = first.hop(snapshot) { addHop(row, &explanation) }
    explanation.chain = cause.chain
    explanation.action = cause.chain == 0 ? nil : .ended
    if cause.chain == 0, [.disposed, .owner, .released, .task].contains(cause.cause) {
      explanation.unknown.append("where in the program that was: no stack was recorded")
    }
  }

  /// The first cause in a chain of terminal events.
  ///
  /// While the cause of an end is a terminal event, the search continues with the end of the
  /// upstream subscription that sent the event.
  private func first(of cause: EndedBy) -> EndedBy {
    var first = cause
    var seen: Set<Int> = [cause.row]
    while let next = first.upstreamEnd(snapshot), seen.insert(next.row).inserted { first = next }
    return first
  }

  /// The row of the event after which an operator ended, or ended its upstream subscription; nil if
  /// no record shows that event.
  private func triggerRow(of cause: EndedBy) -> Int? {
    guard [.operator, .event].contains(cause.cause) else { return nil }
    return cause.trigger(snapshot) { id in
      // The event is that of an input of the operator, or an event of the operator itself, because
      // a source has no inputs.
      (cause.cause == .operator && id == cause.by)
        || store.life(id, at: cause.row)?.link == cause.by
    }
  }

  /// Names the value at which an end happened: `, at its value 3 (event #1204)`.
  private func trigger(of cause: EndedBy) -> String {
    guard let row = triggerRow(of: cause) else { return "" }
    let record = snapshot.records[row]
    let of = record.entity == cause.by ? "its" : "the"
    let whose = record.entity == cause.by ? "" : " of \(name(record.entity, row))"
    let what =
      switch record.kind {
      case .failed: "\(of) failure"
      case .completed: "\(of) completion"
      default: "\(of) value \(record.argument)"
      }
    return ", at \(what)\(whose) (event #\(record.number))"
  }

  /// Adds the work in which the end happened.
  private func addHop(_ row: Int, _ explanation: inout Explanation) {
    let began = snapshot.records[row]
    let scheduler = snapshot.schedulerName(began.argument).map { " on \($0)" } ?? ""
    var text = "it happened in hop \(began.id)\(scheduler), which began with event #\(began.number)"
    let scheduled = snapshot.records.lastRow(of: RecordKinds(.hopScheduled), before: row) {
      $0.id == began.id
    }
    if let scheduled {
      let record = snapshot.records[scheduled]
      text += " and was scheduled with event #\(record.number)"
      if let subscription = record.hopScheduling?.subscription, subscription != .none {
        text += " for \(name(subscription, scheduled))"
      }
    }
    explanation.known.append(text)
  }
}
