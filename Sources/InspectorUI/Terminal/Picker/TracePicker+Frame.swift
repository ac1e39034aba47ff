import TraceModel

extension TracePicker {
  // MARK: Layout

  var headingRow: Int { 2 }
  var footerRow: Int { max(size.rows, Size.minimum.rows) - 1 }
  /// The rows of the screen that show the list, or the lines of the help.
  var listRows: Range<Int> { 3..<max(4, footerRow - explanationHeight) }
  var listHeight: Int { listRows.count }
  /// The number of rows below the list: a blank one, the path of the file, and what is known about
  /// it.
  private var explanationHeight: Int { helpTop == nil && size.rows >= 14 ? 3 : 0 }

  var isLargeEnough: Bool {
    size.columns >= Size.minimum.columns && size.rows >= Size.minimum.rows
  }

  var footerSegments: [ScreenFrame.FooterSegment] {
    ScreenFrame.footerSegments(PickerHelp.footer, width: size.columns, isOpened: helpTop != nil)
  }

  // MARK: Drawing

  /// Draws the screen.
  ///
  /// - Complexity: O(cells), however many rows there are.
  public func frame() -> Frame {
    var frame = Frame(size: size, glyphs: glyphs)
    guard isLargeEnough else {
      ScreenFrame.drawTooSmall(&frame)
      return frame
    }
    let column = frame.put("rxtop", row: 0, column: 0, role: .title)
    if helpTop == nil {
      frame.put("  programs and recordings", row: 0, column: column, role: .dim)
      drawSummary(&frame)
      drawList(&frame)
      if explanationHeight > 0 { drawExplanation(&frame) }
    } else {
      frame.put("  keys and columns of this screen", row: 0, column: column, role: .dim)
      drawHelp(&frame)
    }
    ScreenFrame.drawFooter(
      prompt: prompt,
      note: note,
      footerSegments,
      &frame,
      row: footerRow,
      glyphs
    )
    return frame
  }

  private func drawSummary(_ frame: inout Frame) {
    var column = 0
    if !filter.isEmpty {
      column = frame.put("filter '\(filter.text)'  ", row: 1, column: 0, role: .message)
    }
    let top = list.top
    let extent =
      shown.count > listHeight
      ? "\(top + 1)\(glyphs.dash)\(min(top + listHeight, shown.count)) of \(shown.count)" : ""
    let right = size.columns - CellWidth.of(extent)
    frame.put(extent, row: 1, column: right, role: .dim)
    let room = max(0, right - column - 1)
    frame.put(Fitting.head(summary, room, glyphs), row: 1, column: column, role: .dim)
  }

  /// The line above the list, such as `2 programs run; 5 recordings`.
  private var summary: String {
    guard !rows.isEmpty else { return "" }
    let running = rows.count { $0.state == .running }
    let unusable = rows.count { $0.state == .unusable }
    let recordings = rows.count - running - unusable
    var parts: [String] = []
    switch running {
    case 0: parts.append("no traced program runs: RXTRACE=1 ./app starts one")
    case 1: parts.append("1 program runs")
    default: parts.append("\(running) programs run")
    }
    if recordings > 0 { parts.append(Quantity.of(recordings, "recording", "recordings")) }
    if unusable > 0 { parts.append(Quantity.of(unusable, "unusable file", "unusable files")) }
    return parts.joined(separator: "; ")
  }

  private func drawList(_ frame: inout Frame) {
    guard shown.count > 0 else { return drawEmptiness(&frame) }
    let table = table
    let layout = table.layout(width: size.columns)
    table.drawHeadings(&frame, row: headingRow, layout, sort: sort)
    for (offset, line) in listRows.enumerated() {
      guard let row = row(at: list.top + offset) else { break }
      table.draw(row, &frame, row: line, layout, matching: search)
      if list.top + offset == list.index { frame.select(row: line) }
    }
  }

  private func drawEmptiness(_ frame: inout Frame) {
    guard hasListed else { return }
    let lines: [DocumentLine]
    if rows.isEmpty {
      lines = PickerHelp.beginning(width: size.columns, height: footerRow - 1)
    } else {
      lines = DocumentLine.emptiness(
        [
          "None of \(Quantity.of(rows.count, "row", "rows")) passes the filter '\(filter.text)'.",
          "Press \\ and Enter on an empty line to show them all.",
        ],
        width: size.columns
      )
    }
    for (line, row) in zip(lines, 1..<footerRow) {
      DocumentScreens.draw(line, &frame, row: row, glyphs)
    }
  }

  /// Draws the path of the selected file, and what is known about it.
  private func drawExplanation(_ frame: inout Frame) {
    guard let row = selectedRow else { return }
    let first = footerRow - 2
    let path = Fitting.middle(displayName(row.path, columns: 400), size.columns, glyphs)
    frame.put(path, row: first, column: 0, role: .dim)
    let (text, role) = row.explanation
    let shown = displayName(text, columns: 400)
    frame.put(Fitting.head(shown, size.columns, glyphs), row: first + 1, column: 0, role: role)
  }

  private func drawHelp(_ frame: inout Frame) {
    frame.put("arrows scroll, Esc closes", row: 1, column: 0, role: .dim)
    let lines = PickerHelp.lines(self)
    let top = helpTop ?? 0
    for (line, row) in zip(lines.dropFirst(top), listRows) {
      DocumentScreens.draw(line, &frame, row: row, glyphs)
    }
    let below = lines.count - top - listHeight
    guard below > 0 else { return }
    let text = " \(below) more \(glyphs.below) "
    frame.put(
      text,
      row: listRows.upperBound - 1,
      column: size.columns - CellWidth.of(text),
      role: .dim
    )
  }
}

extension PickerRow {
  /// A sentence about the trace, which may contain control characters, and the role in which it is
  /// drawn.
  fileprivate var explanation: (String, Role) {
    if let problem { return ("The file \(problem)", .suspect) }
    guard let verdict else { return ("It has not been checked yet.", .dim) }
    if let problem = verdict.problem { return (problem, .dim) }
    guard let level = verdict.level else { return ("Nothing was found in it.", .dim) }
    let more = verdict.count > 1 ? " (and \(verdict.count - 1) more)" : ""
    return ("\(level.label) \(verdict.sentence)\(more)", level.role)
  }
}
