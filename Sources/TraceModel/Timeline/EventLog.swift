public import TraceReading

/// Records as rows of text.
package struct EventLog: Sendable {
  private let snapshot: TraceSnapshot
  /// The first generation (a stretch of records that can be read without the earlier ones) of which
  /// no record is missing; nil if there is none.
  private let first: UInt64?
  /// Whether descriptions of values and of failures were recorded.
  private let hasContents: Bool
  /// If there are more records than this between two rows, the identifiers of the two are resolved
  /// separately.
  private static let wideGap = 4096

  package init(_ snapshot: TraceSnapshot, first: UInt64?) {
    self.snapshot = snapshot
    self.first = first
    hasContents = !snapshot.records.kinds.isDisjoint(with: Self.contents)
  }

  /// The records, in their order.
  package var records: TraceRecords { snapshot.records }

  /// The latest `limit` rows among the first `count` records, after leaving out the last `skipping`
  /// rows.
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

  /// The rows of the given records, which have to be in order.
  package func rows(_ rows: [Int]) -> [EventRow] {
    var made: [EventRow] = []
    made.reserveCapacity(rows.count)
    forEach(of: rows, after: rows.first.flatMap(stop(before:))) { _, row in made.append(row) }
    return made
  }

  /// The last record that is shown as a row and precedes the given one; nil if there is none.
  package func stop(before row: Int) -> Int? {
    snapshot.records.lastRow(of: Step.eventKinds, before: row)
  }

  /// When a record was written, since the recording began.
  func time(of row: Int) -> Duration { snapshot.time(snapshot.records[row].ticks) }

  /// The time of the record with a number; nil if the trace does not have it.
  func time(ofNumber number: UInt64) -> Duration? {
    snapshot.records.row(ofNumber: number).map(time(of:))
  }

  /// The time between a record and the previous one that is shown as a row; nil for the first.
  func sincePrevious(_ row: Int) -> Duration? {
    stop(before: row).map { time(of: row) - time(of: $0) }
  }

  /// Makes the rows of the given records, one after the other.
  ///
  /// - Parameters:
  ///   - rows: The records, in order.
  ///   - previous: The record that precedes the first; nil for none.
  ///   - body: Receives the position of each record, and the row made for the record.
  package func forEach(
    of rows: [Int],
    after previous: Int?,
    _ body: (_ row: Int, _ event: EventRow) -> Void
  ) {
    var previous = previous.map { snapshot.records[$0].ticks }
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end] - rows[end - 1] < Self.wideGap { end += 1 }
      let near = rows[start..<end]
      var causes: [Int: EndedBy] = [:]
      for row in near where snapshot.records[row].kind == .ended {
        causes[row] = EndedBy(ofEndIn: row, snapshot.records)
      }
      let store = EntityStore(
        snapshot,
        in: rows[start]..<(rows[end - 1] + 1),
        besides: causes.values.filter { $0.by != .none }.map { ($0.by, $0.row) }
      )
      var labels: [EntityKey: String] = [:]
      for row in near {
        var event = eventRow(row, store, causes[row], &labels)
        event.sincePrevious = previous.map { event.time - snapshot.time($0) }
        previous = snapshot.records[row].ticks
        body(row, event)
      }
      start = end
    }
  }

  // MARK: Values

  /// Records that describe the event next to them.
  private static let contents = RecordKinds([.value, .failureText])
  /// The maximum number of records of other threads between an event and its description.
  private static let contentDistance = 256

  /// The description of a value or of a failure; nil if none was recorded.
  ///
  /// The description of a value is the next record of the same thread. The description of a failure
  /// precedes the record of the failure at the first subscription that it passes.
  private func content(of place: Int, _ record: TraceRecord) -> TraceRecord? {
    guard hasContents else { return nil }
    let records = snapshot.records
    switch record.event {
    case .next:
      let end = min(records.count, place + 1 + Self.contentDistance)
      for row in (place + 1)..<max(place + 1, end) where records[row].thread == record.thread {
        let other = records[row]
        return other.kind == .value && other.entity == record.entity ? other : nil
      }
    case .failed(let error):
      for row in (max(0, place - Self.contentDistance)..<place).reversed()
      where records[row].kind == .failureText && records[row].thread == record.thread {
        return records[row].event == .failureText(error) ? records[row] : nil
      }
    default: break
    }
    return nil
  }

  // MARK: Text

  private func eventRow(
    _ place: Int,
    _ store: EntityStore,
    _ cause: EndedBy?,
    _ labels: inout [EntityKey: String]
  ) -> EventRow {
    let record = snapshot.records[place]
    var row = EventRow()
    row.number = record.number
    row.time = snapshot.time(record.ticks)
    row.kind = record.kind
    row.isPartial = first.map { record.generation < $0 } ?? true
    row.thread = snapshot.threadName(record.thread)
    let id = record.hopScheduling?.subscription ?? record.entity
    if id != .none {
      let life = store.life(id, at: place)
      row.subject = life?.key ?? EntityKey(id: id, serial: 0)
      row.site = life?.site
      row.subjectText =
        life.map { life in
          // Most rows use the same few labels.
          if let label = labels[life.key] { return label }
          let label = "\(snapshot.label(ofSite: life.site)) \(life.key.label)"
          labels[life.key] = label
          return label
        } ?? "?"
    }
    let isRefusal = row.site.map { snapshot.isRefusal(at: place, of: $0) } ?? false
    row.text = isRefusal ? "refused" : text(record)
    switch record.event {
    case .next(let ordinal), .timerFired(let ordinal): row.ordinal = ordinal
    default: break
    }
    if let content = content(of: place, record) {
      row.contentNumber = content.number
      row.text += (row.text.isEmpty ? "" : ": ") + Self.value(content)
    }
    if let cause { describe(cause, of: record, store, &row) }
    return row
  }

  private func describe(
    _ cause: EndedBy,
    of record: TraceRecord,
    _ store: EntityStore,
    _ row: inout EventRow
  ) {
    let phrase = cause.phrase(of: record.entity, record.endReason) { id in
      store.life(id, at: cause.row)
        .map { "\(snapshot.label(ofSite: $0.site)) \($0.key.label)" } ?? "?"
    }
    if !phrase.isEmpty { row.text += ", " + phrase }
    row.endCause = cause.cause
    if cause.by != .none {
      row.endedBy = store.life(cause.by, at: cause.row)?.key ?? EntityKey(id: cause.by, serial: 0)
    }
    row.chain = cause.chain
  }

  private func text(_ record: TraceRecord) -> String {
    switch record.event {
    case .failed(let error): "failure \(snapshot.failureName(error))"
    case .refused(let event): "late \(event.map { "\($0)" } ?? "event")"
    case .ended(let reason), .timerEnded(let reason): reason?.text ?? "for an unknown reason"
    case .depth(let held): held == 0 ? "holds nothing" : "holds \(held)"
    case .timerArmed(let timer): Self.period(timer.microseconds)
    case .signalNamed(let name): "'\(snapshot.string(name))'"
    case .mark(let name): snapshot.string(name)
    case .hopScheduled(let hop): self.hop(record, on: hop.scheduler)
    case .hopBegan(let scheduler), .hopCancelled(let scheduler): hop(record, on: scheduler)
    case .hopEnded: hop(record, on: nil)
    case .runsOn(let isMainQueue):
      isMainQueue.map { $0 ? "the main queue" : "another queue" } ?? "?"
    case .recordsLost(let count):
      count == 1 ? "1 record of this thread is lost" : "\(count) records of this thread are lost"
    case .levelChanged(let level): level.map { "\($0)" } ?? "?"
    case .forked(let count): "fork \(count), of which nothing is recorded"
    case .ownerHeld(let holding):
      Int(holding.site) < snapshot.sites.count
        ? "a closure of \(snapshot.sites[Int(holding.site)].place) holds its owner" : ""
    case .tailEnded: "the file no longer grows"
    // These are fully described by kind, ordinal and subject, or shown in the row of another
    // record.
    case .next, .timerFired, .value, .failureText, .status, .signalCreated, .signalMade,
      .signalReleased, .subscribed, .disposeRequested,
      .subscriptionReleased, .disposableReleased, .ownerCreated, .ownerBound, .ownerEnded,
      .tearDown, .completed, .turnBegan, .turnEnded, .valueOverwritten, .threadSwitched, nil:
      ""
    }
  }

  private static func value(_ record: TraceRecord) -> String {
    guard let (text, byteCount) = record.valueText else { return "" }
    return byteCount > Layout.Record.valueByteCount ? text + "…" : text
  }

  private static func period(_ microseconds: UInt32) -> String {
    microseconds == 0 ? "once" : "every \(Duration.microseconds(Int64(microseconds)).brief)"
  }

  private func hop(_ record: TraceRecord, on scheduler: UInt32?) -> String {
    let name = scheduler.flatMap(snapshot.schedulerName).map { " on \($0)" } ?? ""
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

extension TraceSnapshot {
  /// The name of a failure's type, without the address that marks a private type.
  package func failureName(_ number: UInt32) -> String {
    string(number).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
  }
}

extension TraceSite {
  /// `File.swift:88`.
  package var location: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
}

extension EndReason {
  /// The text that follows "ended".
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
  /// The duration with two or three digits and a unit: `1.5 s`, `20 ms`, `3 min`.
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
