public import ReactiveTrace

/// The traces there are, for `rxtop ls` and for choosing one.
public enum TraceList {
  /// A table as plain text, one line each; a sentence if there are none.
  ///
  /// - Parameters:
  ///   - entries: As `TraceDirectory.list()` gives them.
  ///   - now: Nanoseconds since 1970.
  ///   - width: Columns of the output.
  ///   - glyphs: What it can show.
  /// - Returns: Lines ended by newlines.
  public static func text(
    _ entries: [TraceDirectory.Entry],
    now: UInt64,
    width: Int,
    glyphs: Glyphs
  ) -> String {
    guard !entries.isEmpty else {
      return "No traces yet. Run a program with RXTRACE=1 in its environment to make one.\n"
    }
    let table = table(glyphs, now: now)
    var frame = Frame(size: Size(columns: width, rows: entries.count + 1), glyphs: glyphs)
    let layout = table.layout(width: width)
    table.drawHeadings(&frame, row: 0, layout, sort: nil)
    for (row, entry) in entries.enumerated() { table.draw(entry, &frame, row: row + 1, layout) }
    return frame.text
  }

  /// `98 MB`: how long files are said to be.
  public static func bytes(_ count: Int) -> String { Quantity.bytes(count) }

  static func table(_ glyphs: Glyphs, now: UInt64) -> Table<TraceDirectory.Entry> {
    Table(
      columns: [
        Column("process", width: 7, isNumber: true) { ("\($0.header.processID)", .strong) },
        Column("state", width: 9) { (state($0.status), $0.status == .running ? .good : .gone) },
        Column("program", width: 12, weight: 1) {
          (displayName($0.header.programName, columns: 60), .text)
        },
        Column("started", width: 11, priority: 1, isNumber: true) {
          (ago($0.header.start.realtime, now), .text)
        },
        Column("level", width: 6, priority: 2) { ("\($0.header.level)", .dim) },
        Column("size", width: 6, priority: 2, isNumber: true) {
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
