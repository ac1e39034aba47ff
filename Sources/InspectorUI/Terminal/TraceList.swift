import TraceExports
import TraceModel
public import TraceReading

/// The list of traces that `rxtop ls` prints.
public enum TraceList {
  /// The list as a table in plain text, or a sentence if no trace is listed.
  ///
  /// - Parameters:
  ///   - entries: The result of `TraceDirectory.list()`.
  ///   - now: The current time in nanoseconds since 1970.
  ///   - width: The width of the output in columns.
  ///   - glyphs: The characters that the output can show.
  ///   - order: Which traces are listed, and in which order.
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

  /// The filter, the order and the limit of the listed traces.
  public struct Order: Sendable {
    /// The filter, as the user types it after `\` on a screen.
    public var filter: String
    /// A column, optionally followed by `up` or `down`; nil for running programs first, then the
    /// latest recordings.
    public var sort: String?
    /// The maximum number of traces.
    public var limit: Int?

    /// Creates an order; by default all traces are listed, running programs first.
    public init(filter: String = "", sort: String? = nil, limit: Int? = nil) {
      self.filter = filter
      self.sort = sort
      self.limit = limit
    }
  }

  /// The columns that ``Order/sort`` may name.
  public static var sortableColumns: [String] {
    table(.utf8, now: 0).sortable.map(\.name)
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
    let column = words.first.flatMap { name in
      table.columns.first { $0.column.isCalled(name) && $0.heading.isSortable }
    }
    let list = table.arrange(
      entries,
      id: { .finding($0.path) },
      filter: RowFilter(order.filter),
      sort: column.map {
        SortOrder(
          column: $0.heading.title,
          ascending: isUp || (!$0.column.isDescendingFirst && order.sort?.hasSuffix("down") != true)
        )
      }
    )
    let kept = list.places.prefix(order.limit ?? .max).map { entries[$0] }
    return (kept, list.places.count - kept.count)
  }

  /// The list as JSON, ended by a newline; `Documentation/JSON.md` describes it.
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
          json.field("state", state(entry.header, entry.status))
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

  /// The size of a file as text, such as `98 MB`.
  public static func bytes(_ count: Int) -> String { Quantity.bytes(count) }

  static func table(_ glyphs: Glyphs, now: UInt64) -> Table<TraceDirectory.Entry> {
    Table(
      [
        .number("processID", "its number", ColumnHeading("process", 7)) { $0.header.processID }
          .emphasis { _ in .strong },
        .text("state", "whether it runs", ColumnHeading("state", 9)) {
          state($0.header, $0.status)
        }
        .emphasis { $0.status == .running ? .good : .gone },
        .text("program", "its name", ColumnHeading("program", 12, weight: 1)) {
          $0.header.programName
        },
        .number("startedAt", "when it started", ColumnHeading("started", 11, priority: 1)) {
          $0.header.start.realtime
        }
        .cell { ago($0.header.start.realtime, now) },
        .text("level", "what it records", ColumnHeading("level", 6, priority: 2, isSortable: false))
        {
          $0.header.level.schemaName
        }
        .emphasis { _ in .dim },
        .number("byteCount", "how long the file is", ColumnHeading("size", 6, priority: 2)) {
          $0.byteCount
        }
        .cell { Quantity.bytes($0.byteCount) }
        .emphasis { _ in .dim },
        .text(
          "path",
          "the file",
          ColumnHeading("file", 14, weight: 4, keepsEnd: true, isSortable: false)
        ) {
          $0.path
        }
        .emphasis { _ in .dim },
      ],
      glyphs
    )
  }

  static func state(_ header: TraceHeader, _ status: ProcessStatus) -> String {
    ProgramState(status, isCrash: header.ending?.isCrash).rawValue
  }

  private static func ago(_ start: UInt64, _ now: UInt64) -> String {
    guard start > 0, now >= start else { return Quantity.unknown }
    return Quantity.duration(.nanoseconds(Int64(clamping: now - start))) + " ago"
  }
}
