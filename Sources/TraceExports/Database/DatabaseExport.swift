import Glibc
import TraceFindings
import TraceModel
import TraceReading

/// An SQLite database: a table for each kind of row that rxtop shows, with all exported columns;
/// further tables made from the records; and views that answer frequent questions.
struct DatabaseExport {
  let snapshot: TraceSnapshot
  let inspection: Inspection

  /// The version of the schema, which is increased when a column or a view is removed or changes
  /// its meaning.
  static let version = 1

  /// Writes the database to a temporary file first, because SQLite does not write sequentially.
  func write(to write: ([UInt8]) throws -> Void) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/rxtop-export-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else {
      throw ExportError(
        "no temporary file can be made in '\(folder)' (\(String(cString: strerror(errno)))); set "
          + "TMPDIR to a folder that you may write to, with enough free space"
      )
    }
    defer {
      close(descriptor)
      unlink(path)
    }
    try fill(Database(path: path))
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &piece, piece.count), count > 0 {
      try write(Array(piece[..<count]))
    }
  }

  private func fill(_ database: Database) throws {
    // The application identifier is 'rxtp' in ASCII, by which `file` and other programs identify
    // the format.
    try database.run(
      "PRAGMA application_id = \(0x7278_7470); PRAGMA user_version = \(Self.version)"
    )
    try recording(database)
    try table("sites", SiteRow.columns, inspection.sites, database)
    try table("signals", SignalRow.columns, inspection.signals, database)
    try table("subscriptions", SubscriptionRow.columns, inspection.subscriptions, database)
    try table("timers", TimerRow.columns, inspection.timers, database)
    let rows = CSVExport(inspection, snapshot)
    try table("queues", QueueRow.columns, rows.queues, database)
    try table("findings", Finding.columns, inspection.findings, database)
    let events = rows.events
    try database.table("events", Self.columns(EventRow.columns)) { add in
      let exported = EventRow.columns.filter { !$0.isOnScreenOnly }
      try events.forEachPiece { rows in
        for row in rows { try add(exported.map { Self.value($0.value(row)) }) }
      }
    }
    try marks(database)
    try DatabaseHistory(snapshot).write(to: database)
    try database.run(DatabaseViews.text)
    try database.finish()
  }

  private func recording(_ database: Database) throws {
    let header = snapshot.header
    try database.table("recording", ["key TEXT", "value TEXT"]) { add in
      func put(_ key: String, _ value: String?) throws {
        try add([.text(key), .text(value.map { displayName($0, columns: 1000) })])
      }
      try put("program", header.programName)
      try put("processID", "\(header.processID)")
      try put("level", header.level.schemaName)
      try put("startedAt", "\(header.start.realtime)")
      try put("duration", "\(snapshot.time(snapshot.lastTicks).wholeNanoseconds)")
      try put("exactFrom", snapshot.exactFrom.map { "\(snapshot.time($0).wholeNanoseconds)" })
      for loss in Losses.sentences(snapshot) { try put("loss", loss) }
    }
  }

  private func marks(_ database: Database) throws {
    try database.table(
      "marks",
      [
        "mark INTEGER", "name TEXT", "time INTEGER", "liveSubscriptions INTEGER",
        "heapInUse INTEGER", "residentSize INTEGER",
      ]
    ) { add in
      for mark in snapshot.marks {
        try add([
          .number(mark.index), .text(displayName(mark.name)),
          .number(snapshot.time(mark.ticks).wholeNanoseconds), .number(mark.liveSubscriptions),
          .number(mark.heapInUse), .number(mark.residentSize),
        ])
      }
    }
    try database.table("markCounts", ["mark INTEGER", "site INTEGER", "live INTEGER"]) { add in
      for mark in snapshot.marks where !mark.hasLostCounts {
        for (site, live) in mark.live.enumerated() where live > 0 {
          try add([.number(mark.index), .number(site), .number(live)])
        }
      }
    }
  }

  // MARK: Tables of columns

  private func table<Row>(
    _ name: String,
    _ columns: [Column<Row>],
    _ rows: [Row],
    _ database: Database
  ) throws {
    let exported = columns.filter { !$0.isOnScreenOnly }
    try database.table(name, Self.columns(columns)) { add in
      for row in rows { try add(exported.map { Self.value($0.value(row)) }) }
    }
  }

  private static func columns<Row>(_ columns: [Column<Row>]) -> [String] {
    columns.filter { !$0.isOnScreenOnly }
      .map { column in
        let type =
          switch column.kind {
          case .count, .change, .duration, .moment, .number, .entity, .flag: "INTEGER"
          case .rate, .share: "REAL"
          case .text, .entities, .words, .counts, .series: "TEXT"
          }
        return "\"\(column.id)\" \(type)"
      }
  }

  /// The field for a value.
  ///
  /// A list becomes a JSON array, and named counts become a JSON object, because SQLite can iterate
  /// over both.
  private static func value(_ value: ColumnValue) -> Database.Value {
    switch value {
    case .text(let text): .text(text.map { displayName($0, columns: 4000) })
    case .count(let value), .number(let value): .number(value)
    case .change(let value): .number(value)
    case .duration(let value), .moment(let value): .number(value?.wholeNanoseconds)
    case .rate(let value), .share(let value): value.map { .real($0) } ?? .none
    case .flag(let value): .number(value.map { $0 ? 1 : 0 })
    case .entity(let key): .number(key.flatMap { $0.serial == 0 ? nil : $0.serial })
    case .entities(let keys): json { json in json.array(nil, keys) { $0.field(nil, $1.serial) } }
    case .words(let words): json { json in json.array(nil, words) { $0.field(nil, $1 as String?) } }
    case .series(let figures):
      figures.map { figures in json { json in json.array(nil, figures) { $0.field(nil, $1) } } }
        ?? .none
    case .counts(let counts):
      json { json in
        json.object { json in
          for (name, count) in counts { json.field(name, count) }
        }
      }
    }
  }

  private static func json(_ write: (inout JSONWriter) -> Void) -> Database.Value {
    var json = JSONWriter(linesTo: 0)
    write(&json)
    return .text(json.text)
  }
}
