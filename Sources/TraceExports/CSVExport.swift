import TraceModel
import TraceReading

/// Tables with plain numbers: times in nanoseconds, nothing where the trace cannot tell.
struct CSVExport {
  private let inspection: Inspection
  private let snapshot: TraceSnapshot

  init(_ inspection: Inspection, _ snapshot: TraceSnapshot) {
    self.inspection = inspection
    self.snapshot = snapshot
  }

  func text(_ options: TraceExport.Options) -> String {
    let filter = RowFilter(options.filter)
    return switch options.table {
    case .sites: table(SiteRow.columns, inspection.sites, filter)
    case .signals: table(SignalRow.columns, inspection.signals, filter)
    case .subscriptions: table(SubscriptionRow.columns, inspection.subscriptions, filter)
    case .timers: table(TimerRow.columns, inspection.timers, filter)
    case .queues: table(QueueRow.columns, queues, filter)
    case .events: table(EventRow.columns, events, filter)
    case .findings: table(Finding.columns, inspection.findings, filter)
    }
  }

  /// Headings, and the rows that pass the filter.
  private func table<Row>(_ columns: [Column<Row>], _ rows: [Row], _ filter: RowFilter) -> String {
    let columns = columns.filter { !$0.isOnScreenOnly }
    var text = line(columns.map(\.id))
    for row in rows {
      let fields = columns.map { Self.text($0.value(row)) }
      let isKept = filter.admits(
        fields,
        { word, fields in fields.contains { $0.lowercased().containsText(word) } },
        text: { name, fields in columns.firstIndex { $0.isCalled(name) }.map { fields[$0] } },
        number: { name, fields in
          columns.firstIndex { $0.isCalled(name) }.flatMap { Double(fields[$0]) }
        }
      )
      if isKept { text += line(fields) }
    }
    return text
  }

  private func line(_ fields: [String]) -> String {
    fields.map(Self.field).joined(separator: ",") + "\r\n"
  }

  /// Quoted where needed.
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe, as it shows
  /// texts itself.
  static func field(_ text: String) -> String {
    let shown = displayName(text, columns: 4000)
    let isNumber = Double(shown) != nil
    let isFormula = !isNumber && shown.first.map { "=+-@".contains($0) } ?? false
    let safe = isFormula ? "'" + shown : shown
    guard safe.contains(where: { ",\"".contains($0) }) else { return safe }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Empty where it is unknown.
  private static func text(_ value: ColumnValue) -> String {
    switch value {
    case .text(let text): text ?? ""
    case .count(let value), .number(let value): value.map { "\($0)" } ?? ""
    case .change(let value): value.map { "\($0)" } ?? ""
    case .duration(let value), .moment(let value): value.map { "\($0.wholeNanoseconds)" } ?? ""
    case .rate(let value), .share(let value): value.map { "\($0)" } ?? ""
    case .flag(let value): value.map { "\($0)" } ?? ""
    case .words(let words): words.joined(separator: " ")
    case .entity(let key): key.map(text) ?? ""
    case .entities(let keys): keys.map(text).joined(separator: " ")
    case .counts(let counts):
      counts.map { "\($0.name)=\($0.count.map { "\($0)" } ?? "")" }.joined(separator: " ")
    }
  }

  private static func text(_ key: EntityKey) -> String { key.serial == 0 ? "" : "\(key.serial)" }

  private var queues: [QueueRow] {
    QueueStudy.report(upTo: inspection.instant.time, snapshot).queues.map { row in
      var row = row.counted(inspection)
      // What is known of it is that there are no fewer.
      if row.isWaitingLeast { row.waiting = nil }
      return row
    }
  }

  private var events: [EventRow] {
    let walk = RecordWalk(snapshot)
    let log = EventLog(snapshot, first: snapshot.firstExactGeneration)
    return log.rows(walk.rows.filter { Step.event.stops(at: walk[$0].kind) })
  }
}
