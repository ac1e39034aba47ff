/// A screen as text, all rows of it: what `rxtop --once` prints.
public struct OnceText: Sendable {
  private let screen: Screen
  private let filter: String
  private let columns: Int
  private let glyphs: Glyphs
  private let palette: Palette?

  /// Text of a screen.
  ///
  /// - Parameters:
  ///   - screen: One of ``Screen/inBar``.
  ///   - filter: As typed after `\`.
  ///   - columns: Width of the output; at least 40.
  ///   - glyphs: What the output can show.
  ///   - palette: Nil writes plain text.
  public init(screen: Screen, filter: String, columns: Int, glyphs: Glyphs, palette: Palette?) {
    self.screen = screen
    self.filter = filter
    self.columns = max(columns, Size.minimum.columns)
    self.glyphs = glyphs
    self.palette = palette
  }

  /// The text: a line about the program, what was lost, the rows, and under Sites the findings.
  public func render(_ inspection: Inspection) -> String {
    var text = header(inspection)
    text += body(inspection)
    if screen == .sites || screen == .findings { text += findings(inspection) }
    return text
  }

  // MARK: Parts

  private func header(_ inspection: Inspection) -> String {
    let program = inspection.program
    var lines: [DocumentLine] = []
    let name = displayName(program.name.isEmpty ? "unnamed program" : program.name, columns: 60)
    lines.append(
      DocumentLine([
        (name, .title), (" \(program.processID)", .dim), ("  \(state(program.status))", .strong),
        ("  after \(Quantity.moment(inspection.instant.time))", .text),
        ("  level \(program.level)", .dim),
      ])
    )
    if !program.statusText.isEmpty, program.status != .running {
      lines.append(DocumentLine(displayName(program.statusText), role: .dim))
    }
    if let window = program.exactWindow {
      let span = Quantity.duration(window.upperBound - window.lowerBound)
      lines.append(DocumentLine("every event of the last \(span) is there", role: .dim))
    }
    for loss in program.losses {
      lines += DocumentLine.paragraph(
        "LOST: " + displayName(loss, columns: 400),
        width: columns,
        indent: 0,
        role: .loss
      )
    }
    for problem in program.problems.prefix(8) {
      lines += DocumentLine.paragraph(
        displayName(problem, columns: 400),
        width: columns,
        indent: 0,
        role: .suspect
      )
    }
    if !program.note.isEmpty {
      lines += DocumentLine.paragraph(
        displayName(program.note, columns: 400),
        width: columns,
        indent: 0,
        role: .dim
      )
    }
    return draw(lines) + "\n"
  }

  private func state(_ status: ProgramStatus) -> String {
    switch status {
    case .running: "running"
    case .gone: "died"
    case .stopped: "ended"
    case .elsewhere: "recorded elsewhere"
    }
  }

  private func body(_ inspection: Inspection) -> String {
    guard screen != .findings else { return "" }
    var model = Model(
      size: Size(columns: columns, rows: Size.minimum.rows),
      glyphs: glyphs,
      screen: screen,
      filter: filter
    )
    _ = model.update(.inspection(inspection, at: .end))
    guard let table = screen.table else { return draw(model.document) }
    let summary = DocumentLine(Fitting.head(table.summary(model), columns, glyphs), role: .dim)
    guard model.rows.count > 0 else {
      let reasons = table.emptiness(model).flatMap {
        DocumentLine.paragraph($0, width: columns, indent: 0)
      }
      return draw(
        [summary] + (model.rows.total > 0 ? [DocumentLine("No row passes the filter.")] : reasons)
      )
    }
    return draw([summary]) + table.renderAll(model, columns: columns, ANSIText(palette: palette))
  }

  private func findings(_ inspection: Inspection) -> String {
    let findings = inspection.findings
    guard !findings.isEmpty else {
      var model = Model(size: Size(columns: columns, rows: Size.minimum.rows), glyphs: glyphs)
      _ = model.update(.inspection(inspection, at: .end))
      let text = FindingsView.emptiness(model).prefix(screen == .sites ? 1 : 2)
      return "\n" + draw(text.flatMap { DocumentLine.paragraph($0, width: columns, indent: 0) })
    }
    var lines: [DocumentLine] = [DocumentLine(), .heading("Findings")]
    let shown = screen == .sites ? 10 : findings.count
    for finding in findings.prefix(shown) {
      lines.append(
        DocumentLine([
          (finding.level.label, Severity.role(finding.level)),
          ("  \(displayName("\(finding.name)@\(finding.location)", columns: 120))", .strong),
          ("  \(finding.kind.title)", .text),
        ])
      )
      lines += FindingsView.lines(finding, width: columns - 2).map { line in
        var line = line
        line.pieces.insert(DocumentLine.Piece(text: "  ", role: .text), at: 0)
        return line
      }
    }
    if findings.count > shown {
      lines.append(
        DocumentLine("and \(findings.count - shown) more; --screen findings prints all", role: .dim)
      )
    }
    return draw(lines)
  }

  private func draw(_ lines: [DocumentLine]) -> String {
    let longest = lines.map { CellWidth.of($0.text) }.max() ?? 0
    var frame = Frame(size: Size(columns: max(columns, longest), rows: lines.count), glyphs: glyphs)
    for (row, line) in lines.enumerated() { DocumentScreens.draw(line, &frame, row: row, glyphs) }
    return ANSIText(palette: palette).render(frame)
  }
}

extension TableScreen {
  /// Headings and every row, drawn in pieces, so that memory does not grow with their number.
  static func renderAll(_ model: Model, columns: Int, _ output: ANSIText) -> String {
    let table = table(model.glyphs)
    let layout = table.layout(width: columns)
    let rows = rows(model.inspection)
    var headings = Frame(size: Size(columns: columns, rows: 1), glyphs: model.glyphs)
    table.drawHeadings(&headings, row: 0, layout, sort: model.place.sort ?? table.defaultSort)
    var text = output.render(headings)
    for place in model.rows.places {
      var line = Frame(size: Size(columns: columns, rows: 1), glyphs: model.glyphs)
      table.draw(rows[place], &line, row: 0, layout)
      text += output.render(line)
    }
    return text
  }
}
