public import TraceReading

/// Records as rows of text.
package struct EventLog {
  private let snapshot: TraceSnapshot
  private let first: UInt64?
  /// Who is there at the instant.
  private let entities: IDTable<TracedEntity>
  /// Records searched backwards for who an entity was.
  private static let searchLimit = 200_000

  package init(
    _ snapshot: TraceSnapshot,
    first: UInt64?,
    entities: IDTable<TracedEntity> = IDTable()
  ) {
    self.snapshot = snapshot
    self.first = first
    self.entities = entities
  }

  /// The latest `limit` rows among the first `count` records, leaving out the last `skipping`.
  package func rows(upTo count: Int, skipping: Int = 0, limit: Int) -> [EventRow] {
    var rows: [Int] = []
    var skipped = 0
    var row = count
    while rows.count < limit, let stop = snapshot.records.lastRow(of: Step.eventKinds, before: row)
    {
      row = stop
      if skipped < skipping { skipped += 1 } else { rows.append(row) }
    }
    return self.rows(rows.reversed())
  }

  /// The rows of some records, given in order.
  package func rows(_ rows: [Int]) -> [EventRow] {
    var causes: [Int: EndedBy] = [:]
    for row in rows where snapshot.records[row].kind == .ended {
      causes[row] = EndedBy(ofEndIn: row, snapshot.records)
    }
    let subjects = subjects(of: rows.reversed(), and: causes.values.map(\.by))
    return rows.map { eventRow(snapshot.records[$0], subjects, causes[$0]) }
  }

  // MARK: Subjects

  private struct Subject {
    var key: EntityKey
    var site: UInt32
  }

  /// Who the records are about: from slots, or else from the latest record that tells.
  private func subjects(of rows: [Int], and others: [TraceID]) -> [TraceID: Subject] {
    var found: [TraceID: Subject] = [:]
    var wanted = Set(others).subtracting([.none])
    for row in rows {
      let record = snapshot.records[row]
      if record.entity != .none { wanted.insert(record.entity) }
      if let hop = record.hopScheduling, hop.subscription != .none {
        wanted.insert(hop.subscription)
      }
    }
    for id in wanted {
      guard let entity = entities[id] else { continue }
      found[id] = Subject(key: entity.key, site: entity.site)
    }
    wanted.subtract(found.keys)
    guard !wanted.isEmpty else { return found }
    for slot in snapshot.slots where wanted.contains(slot.id) {
      found[slot.id] = Subject(key: EntityKey(id: slot.id, serial: slot.serial), site: slot.site)
      wanted.remove(slot.id)
    }
    guard let last = rows.first else { return found }
    let oldest = max(0, last + 1 - Self.searchLimit)
    var row = last + 1
    while !wanted.isEmpty, let place = snapshot.records.lastRow(of: Self.telling, before: row),
      place >= oldest
    {
      row = place
      let record = snapshot.records[row]
      guard let site = record.site, wanted.contains(record.entity) else { continue }
      found[record.entity] = Subject(
        key: EntityKey(id: record.entity, serial: Self.serial(record)),
        site: site
      )
      wanted.remove(record.entity)
    }
    return found
  }

  /// The kinds that say who an entity is.
  private static let telling = RecordKinds([
    .entityStatus, .signalCreated, .subscribed, .timerArmed, .ownerCreated,
  ])

  private static func serial(_ record: TraceRecord) -> UInt64 {
    switch record.kind {
    case .entityStatus, .signalCreated, .subscribed, .timerArmed, .ownerCreated: record.more.1
    default: 0
    }
  }

  // MARK: Text

  private func eventRow(
    _ record: TraceRecord,
    _ subjects: [TraceID: Subject],
    _ cause: EndedBy?
  ) -> EventRow {
    var row = EventRow()
    row.number = record.number
    row.time = snapshot.time(record.ticks)
    row.kind = record.kind
    row.isPartial = first.map { record.generation < $0 } ?? true
    row.thread = snapshot.threadName(record.thread)
    let id = record.hopScheduling?.subscription ?? record.entity
    if id != .none {
      row.subject = subjects[id]?.key ?? EntityKey(id: id, serial: 0)
      row.subjectText = subjects[id].map(text) ?? "?"
    }
    row.text = text(record)
    if let cause { tell(cause, of: record, subjects, &row) }
    return row
  }

  private func tell(
    _ cause: EndedBy,
    of record: TraceRecord,
    _ subjects: [TraceID: Subject],
    _ row: inout EventRow
  ) {
    let phrase = cause.phrase(of: record.entity) { id in
      subjects[id].map { "\(snapshot.label(ofSite: $0.site)) \($0.key.label)" } ?? "?"
    }
    if !phrase.isEmpty { row.text += ", " + phrase }
    row.endCause = cause.cause
    if cause.by != .none {
      row.endedBy = subjects[cause.by]?.key ?? EntityKey(id: cause.by, serial: 0)
    }
    row.chain = cause.chain
  }

  private func text(_ subject: Subject) -> String {
    let site = snapshot.site(subject.site)
    return "\(site?.name ?? "?") \(site?.location ?? "?") \(subject.key.label)"
  }

  private func text(_ record: TraceRecord) -> String {
    switch record.kind {
    case .next: "value \(record.argument)"
    case .failed: "failure \(snapshot.string(record.argument))"
    case .refused: "late \(record.refusedEvent.map { "\($0)" } ?? "event")"
    case .ended, .timerEnded: record.endReason?.text ?? "for an unknown reason"
    case .depth: record.argument == 0 ? "holds nothing" : "holds \(record.argument)"
    case .timerFired: "fire \(record.argument)"
    case .timerArmed: record.timerArming.map { Self.period($0.microseconds) } ?? ""
    case .signalNamed: "'\(snapshot.string(record.argument))'"
    case .mark: snapshot.string(record.argument)
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: hop(record)
    case .recordsLost: "\(record.id) records of this thread are lost"
    case .levelChanged: TraceLevel(rawValue: record.id).map { "\($0)" } ?? "?"
    case .value: Self.value(record)
    case .failureText: "\(snapshot.string(record.id)): \(Self.value(record))"
    case .forked: "fork \(record.id), of which nothing is recorded"
    case .tailEnded: "the file no longer grows"
    default: ""
    }
  }

  private static func value(_ record: TraceRecord) -> String {
    guard let (text, byteCount) = record.valueText else { return "" }
    return byteCount > text.utf8.count ? text + "…" : text
  }

  private static func period(_ microseconds: UInt32) -> String {
    microseconds == 0 ? "once" : "every \(Duration.microseconds(Int64(microseconds)).brief)"
  }

  private func hop(_ record: TraceRecord) -> String {
    let number: UInt32? =
      switch record.kind {
      case .hopScheduled: record.hopScheduling?.scheduler
      case .hopBegan, .hopCancelled: record.argument
      default: nil
      }
    let name = number.flatMap(snapshot.schedulerName).map { " on \($0)" } ?? ""
    return "hop \(record.id)\(name)"
  }
}

extension TraceSnapshot {
  package func site(_ row: UInt32) -> TraceSite? { Int(row) < sites.count ? sites[Int(row)] : nil }

  package func schedulerName(_ row: UInt32) -> String? {
    guard row > 0, Int(row) < schedulers.count else { return nil }
    return schedulers[Int(row)].name
  }

  package func threadName(_ row: UInt32) -> String {
    guard row > 0, Int(row) < threads.count else { return "" }
    let thread = threads[Int(row)]
    if thread.isMain { return "main" }
    return thread.name.isEmpty ? "\(thread.systemID)" : thread.name
  }
}

extension TraceSite {
  /// `File.swift:88`.
  package var location: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
}

extension EndReason {
  /// As it stands behind "ended".
  public var text: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .ownerGone: "owner gone"
    case .sourceGone: "source gone"
    }
  }
}

extension Duration {
  /// Three digits or so and a unit: `1.5 s`, `20 ms`, `3 min`.
  package var brief: String {
    let (whole, attoseconds) = components
    let seconds = Double(whole) + Double(attoseconds) / 1e18
    let size = abs(seconds)
    if size >= 7200 { return "\(Self.digits(seconds / 3600)) h" }
    if size >= 120 { return "\(Self.digits(seconds / 60)) min" }
    if size >= 1 || size == 0 { return "\(Self.digits(seconds)) s" }
    if size >= 1e-3 { return "\(Self.digits(seconds * 1e3)) ms" }
    if size >= 1e-6 { return "\(Self.digits(seconds * 1e6)) µs" }
    return "\(Self.digits(seconds * 1e9)) ns"
  }

  private static func digits(_ value: Double) -> String {
    if abs(value) >= 10 || value == value.rounded() { return "\(Int(value.rounded()))" }
    return "\((value * 10).rounded() / 10)"
  }
}
