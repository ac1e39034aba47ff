import TraceModel
import TraceReading

/// A table in CSV: moments and durations are whole nanoseconds, and a field is empty where the
/// trace does not contain its value.
struct CSVExport {
  private let inspection: Inspection
  private let snapshot: TraceSnapshot

  init(_ inspection: Inspection, _ snapshot: TraceSnapshot) {
    self.inspection = inspection
    self.snapshot = snapshot
  }

  func write(_ options: TraceExport.Options, to write: ([UInt8]) throws -> Void) rethrows {
    let filter = RowFilter(options.filter)
    func table<Row>(_ columns: [Column<Row>], _ rows: [Row]) throws {
      try write(Array((headings(columns) + lines(columns, rows, filter)).utf8))
    }
    switch options.table {
    case .sites: try table(SiteRow.columns, inspection.sites)
    case .signals: try table(SignalRow.columns, inspection.signals)
    case .subscriptions: try table(SubscriptionRow.columns, inspection.subscriptions)
    case .timers: try table(TimerRow.columns, inspection.timers)
    case .queues: try table(QueueRow.columns, queues)
    case .findings: try table(Finding.columns, inspection.findings)
    case .events:
      try write(Array(headings(EventRow.columns).utf8))
      try events.forEachPiece { rows in
        try write(Array(lines(EventRow.columns, rows, filter).utf8))
      }
    }
  }

  private func headings<Row>(_ columns: [Column<Row>]) -> String {
    line(columns.filter { !$0.isOnScreenOnly }.map(\.id))
  }

  /// The rows that pass the filter, as lines.
  ///
  /// A word of the filter is looked for both in the exported fields and in the text that rxtop's
  /// screens show.
  private func lines<Row>(_ all: [Column<Row>], _ rows: [Row], _ filter: RowFilter) -> String {
    let columns = all.filter { !$0.isOnScreenOnly }
    let shown = all.filter { $0.heading != nil && $0.kind.isSearched && !$0.isComparedOnly }
    var text = ""
    for row in rows {
      let fields = columns.map { Self.text($0.value(row)) }
      let isKept = filter.admits(
        fields,
        { word, fields in
          fields.contains { $0.lowercased().containsText(word) }
            || shown.contains { $0.contains(word, in: row, dash: "–") }
        },
        text: { name, fields in columns.firstIndex { $0.isCalled(name) }.map { fields[$0] } },
        number: { name, fields in
          columns.firstIndex { $0.isCalled(name) }.flatMap { Double(fields[$0]) }
        },
        isTime: { name in columns.first { $0.isCalled(name) }?.kind.isTime ?? false }
      )
      if isKept { text += line(fields) }
    }
    return text
  }

  private func line(_ fields: [String]) -> String {
    fields.map(Self.field).joined(separator: ",") + "\r\n"
  }

  /// A field of a line, quoted if necessary.
  ///
  /// Text that a spreadsheet would read as a formula is preceded by an apostrophe, which tells
  /// spreadsheets that it is plain text.
  static func field(_ text: String) -> String {
    let shown = displayName(text, columns: 4000)
    let isNumber = Double(shown) != nil
    let isFormula =
      !isNumber && shown.unicodeScalars.first.map("=+-@".unicodeScalars.contains) ?? false
    let safe = isFormula ? "'" + shown : shown
    guard safe.utf8.contains(where: ",\"".utf8.contains) else { return safe }
    return "\"" + safe.escaping(["\"": "\"\""]) + "\""
  }

  /// The text of a value; empty if the value is unknown.
  private static func text(_ value: ColumnValue) -> String {
    switch value {
    case .text(let text): text ?? ""
    case .count(let value), .number(let value): value.map { "\($0)" } ?? ""
    case .change(let value): value.map { "\($0)" } ?? ""
    case .duration(let value), .moment(let value): value.map { "\($0.wholeNanoseconds)" } ?? ""
    case .rate(let value), .share(let value): value.map { "\($0)" } ?? ""
    case .flag(let value): value.map { "\($0)" } ?? ""
    case .series(let figures): figures?.map { "\($0)" }.joined(separator: " ") ?? ""
    case .words(let words): words.joined(separator: " ")
    case .entity(let key): key.map(text) ?? ""
    case .entities(let keys): keys.map(text).joined(separator: " ")
    case .counts(let counts):
      counts.map { "\($0.name)=\($0.count.map { "\($0)" } ?? "")" }.joined(separator: " ")
    }
  }

  private static func text(_ key: EntityKey) -> String { key.serial == 0 ? "" : "\(key.serial)" }

  var queues: [QueueRow] {
    QueueScan.report(upTo: inspection.instant.time, snapshot).queues.map { row in
      var row = row.counted(inspection)
      // `waiting` is only a lower bound here, so the field is left empty.
      if row.isWaitingLeast { row.waiting = nil }
      return row
    }
  }

  var events: EventRows {
    guard let (log, count) = inspection.recordedEvents else { return EventRows(inspection.events) }
    var scan = EventScan()
    scan.move(to: log, upTo: count)
    while !scan.isDone { scan.searchNext(records: 1 << 20, nil) }
    return scan.rows()
  }
}
