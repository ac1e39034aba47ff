import TraceExports
import TraceModel
public import TraceReading

/// The traces there are, for `rxtop ls` and for choosing one.
public enum TraceList {
  /// A table as plain text, one line each; a sentence if there are none.
  ///
  /// - Parameters:
  ///   - entries: As `TraceDirectory.list()` gives them.
  ///   - now: Nanoseconds since 1970.
  ///   - width: Columns of the output.
  ///   - glyphs: What it can show.
  ///   - order: Which of them, and in which order.
  /// - Returns: Lines ended by newlines.
  public static func text(
    _ entries: [TraceDirectory.Entry],
    now: UInt64,
    width: Int,
    glyphs: Glyphs,
    order: Order = Order()
  ) -> String {
    guard !entries.isEmpty else {
      return "No traces yet. Run a program with RXTRACE=1 in its environment to make one.\n"
    }
    let table = table(glyphs, now: now)
    let total = entries.count
    let (entries, left) = arranged(entries, order, now: now)
    guard !entries.isEmpty else {
      return "None of \(Quantity.of(total, "trace", "traces")) passes the filter.\n"
    }
    var frame = Frame(size: Size(columns: width, rows: entries.count + 1), glyphs: glyphs)
    let layout = table.layout(width: width)
    table.drawHeadings(&frame, row: 0, layout, sort: nil)
    for (row, entry) in entries.enumerated() { table.draw(entry, &frame, row: row + 1, layout) }
    return frame.text + (left > 0 ? "and \(left) more\n" : "")
  }

  /// Which traces are listed, and in which order.
  public struct Order: Sendable {
    /// As typed after `\\` on a screen.
    public var filter: String
    /// A column, and `up` or `down`; nil for running programs first, then the latest.
    public var sort: String?
    /// How many at most.
    public var limit: Int?

    /// All of them as they are, unless told otherwise.
    public init(filter: String = "", sort: String? = nil, limit: Int? = nil) {
      self.filter = filter
      self.sort = sort
      self.limit = limit
    }
  }

  /// The columns that ``Order/sort`` may name.
  public static var sortableColumns: [String] {
    table(.utf8, now: 0).columns.filter { $0.key != nil }.map(\.title)
  }

  private static func arranged(
    _ entries: [TraceDirectory.Entry],
    _ order: Order,
    now: UInt64
  ) -> (entries: [TraceDirectory.Entry], left: Int) {
    let table = table(.utf8, now: now)
    var words = (order.sort ?? "").split(separator: " ").map(String.init)
    let isUp = words.count > 1 && words.last == "up"
    if words.count > 1, words.last == "up" || words.last == "down" { words.removeLast() }
    let column = words.first.flatMap { name in table.columns.first { $0.isCalled(name) } }
    let list = table.arrange(
      entries,
      id: { .finding($0.path) },
      filter: RowFilter(order.filter),
      sort: column.map {
        SortOrder(
          column: $0.title,
          ascending: isUp || (!$0.isNumber && order.sort?.hasSuffix("down") != true)
        )
      }
    )
    let kept = list.places.prefix(order.limit ?? .max).map { entries[$0] }
    return (kept, list.places.count - kept.count)
  }

  /// The same as JSON, ended by a newline; `Documentation/JSON.md` describes it.
  public static func json(
    _ entries: [TraceDirectory.Entry],
    now: UInt64,
    order: Order = Order()
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.object("schema") { json in
        json.field("name", "rxtop-traces")
        json.field("version", 1)
      }
      json.array("traces", arranged(entries, order, now: now).entries) { json, entry in
        json.object { json in
          json.field("processID", entry.header.processID)
          json.field("state", state(entry.status))
          json.field("program", entry.header.programName)
          json.field("startedAt", entry.header.start.realtime)
          json.field("level", entry.header.level.schemaName)
          json.field("byteCount", entry.byteCount)
          json.field("path", entry.path)
        }
      }
    }
    return json.text + "\n"
  }

  /// `98 MB`: how long files are said to be.
  public static func bytes(_ count: Int) -> String { Quantity.bytes(count) }

  static func table(_ glyphs: Glyphs, now: UInt64) -> Table<TraceDirectory.Entry> {
    Table(
      columns: [
        Column("process", width: 7, isNumber: true, key: { .number(Double($0.header.processID)) }) {
          ("\($0.header.processID)", .strong)
        },
        Column("state", width: 9, key: { .text(state($0.status)) }) {
          (state($0.status), $0.status == .running ? .good : .gone)
        },
        Column("program", width: 12, weight: 1, key: { .text($0.header.programName) }) {
          (displayName($0.header.programName, columns: 60), .text)
        },
        Column(
          "started",
          width: 11,
          priority: 1,
          isNumber: true,
          key: { .number(Double($0.header.start.realtime)) }
        ) {
          (ago($0.header.start.realtime, now), .text)
        },
        Column("level", width: 6, priority: 2) { ("\($0.header.level)", .dim) },
        Column(
          "size",
          width: 6,
          priority: 2,
          isNumber: true,
          key: { .number(Double($0.byteCount)) }
        ) {
          (Quantity.bytes($0.byteCount), .dim)
        },
        Column("file", width: 14, weight: 4, keepsEnd: true) {
          (displayName($0.path, columns: 400), .dim)
        },
      ],
      glyphs: glyphs
    )
  }

  private static func state(_ status: ProcessStatus) -> String {
    switch status {
    case .running: "running"
    case .gone: "died"
    case .stopped: "ended"
    case .elsewhere: "elsewhere"
    }
  }

  private static func ago(_ start: UInt64, _ now: UInt64) -> String {
    guard start > 0, now >= start else { return Quantity.unknown }
    return Quantity.duration(.nanoseconds(Int64(clamping: now - start))) + " ago"
  }
}
