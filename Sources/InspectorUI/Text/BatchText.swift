public import TraceModel

/// A screen as text, with all of its rows, which `rxtop --once` prints.
public struct BatchText: Sendable {
  private let screen: Screen
  private let filter: String
  private let sort: String?
  private let limit: Int?
  private let columns: Int
  private let glyphs: Glyphs
  private let palette: Palette?

  /// Creates the text of a screen.
  ///
  /// - Parameters:
  ///   - screen: One of the screens in ``Screen/inBar``.
  ///   - filter: The filter, as typed after `\`.
  ///   - sort: A column, optionally followed by `up` or `down`; nil for the default order of the
  ///     screen.
  ///   - limit: The maximum number of rows; nil for all.
  ///   - columns: The width of the output, at least the minimum width of a screen.
  ///   - glyphs: The characters that the output can show.
  ///   - palette: The colours and styles; nil for plain text.
  public init(
    screen: Screen,
    filter: String,
    sort: String? = nil,
    limit: Int? = nil,
    columns: Int,
    glyphs: Glyphs,
    palette: Palette?
  ) {
    self.screen = screen
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.columns = max(columns, Size.minimum.columns)
    self.glyphs = glyphs
    self.palette = palette
  }

  /// The text: a line about the program, what the recording has lost, and the rows of the screen.
  ///
  /// The text of Sites and of Findings ends with the findings in full.
  ///
  /// - Parameters:
  ///   - inspection: The inspection to print.
  ///   - query: Answers questions about the records.
  /// - Returns: Lines ended by newlines.
  public func render(
    _ inspection: Inspection,
    query: (TraceQuery) throws -> TraceAnswer
  ) rethrows -> String {
    var text = ""
    try write(inspection, query: query) { text += $0 }
    return text
  }

  /// Writes the text of ``render(_:query:)`` piece by piece, so that the text of all events is
  /// never in memory at once.
  ///
  /// - Parameters:
  ///   - inspection: The inspection to print.
  ///   - query: Answers questions about the records.
  ///   - output: Receives the pieces, in order.
  public func write(
    _ inspection: Inspection,
    query: (TraceQuery) throws -> TraceAnswer,
    to output: (String) -> Void
  ) rethrows {
    output(header(inspection))
    try writeBody(inspection, query, output)
    if screen == .sites || screen == .findings { output(findings(inspection)) }
  }

  // MARK: Parts

  /// The maximum number of problems of the file that are printed, so that they do not hide the
  /// screen.
  private static let problemLimit = 2

  private func header(_ inspection: Inspection) -> String {
    let program = inspection.program
    var lines: [DocumentLine] = []
    let name = displayName(program.name.isEmpty ? "unnamed program" : program.name, columns: 60)
    lines.append(
      DocumentLine([
        (name, .title), (" \(program.processID)", .dim), ("  \(program.state.rawValue)", .strong),
        ("  \(time(inspection))", .text),
        ("  level \(displayName(program.levelText, columns: 200))", .dim),
      ])
    )
    if !program.statusText.isEmpty, program.status != .running {
      lines.append(DocumentLine(displayName(program.statusText), role: .dim))
    }
    if let parts = program.partsText {
      let sizeHint = program.reachText.map { "; \($0)" } ?? ""
      let loss = program.losses.isEmpty ? "" : ", apart from what was lost"
      lines.append(DocumentLine(parts + loss + sizeHint, role: .dim))
    }
    for loss in program.losses {
      lines += DocumentLine.paragraph(
        "LOST: " + displayName(loss, columns: 400),
        width: columns,
        indent: 0,
        role: .loss
      )
    }
    let problems = program.furtherProblems
    let shown = problems.prefix(program.isCut ? 0 : Self.problemLimit)
    for problem in shown {
      lines += DocumentLine.paragraph(
        displayName(problem, columns: 400),
        width: columns,
        indent: 0,
        role: .suspect
      )
    }
    if problems.count > shown.count {
      let more = Quantity.of(problems.count - shown.count, "more problem", "more problems")
      lines.append(DocumentLine("\(more) in the file; --json lists them", role: .dim))
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

  /// The length of the recording, and the moment that is shown unless it is the end.
  private func time(_ inspection: Inspection) -> String {
    let time = Quantity.moment(inspection.instant.time)
    guard !inspection.instant.isEnd else { return "after \(time)" }
    return "after \(Quantity.moment(inspection.program.duration))  shown at \(time)"
  }

  private func writeBody(
    _ inspection: Inspection,
    _ query: (TraceQuery) throws -> TraceAnswer,
    _ output: (String) -> Void
  ) rethrows {
    guard screen != .findings else { return }
    var settings = Settings()
    if let sort { settings.sort[screen] = sort }
    var model = Model(
      size: Size(columns: columns, rows: screen == .map ? 60 : Size.minimum.rows),
      glyphs: glyphs,
      screen: screen,
      filter: filter,
      settings: settings
    )
    for case .query(let question) in model.update(.inspection(inspection, at: .end)) {
      _ = model.update(.answered(question, try query(question)))
    }
    while model.isSearching { _ = model.update(.idle) }
    if screen == .map {
      let summary = draw([DocumentLine(MapView.summary(model), role: .dim)])
      let map = MapView.whole(model).map(ANSIText(palette: palette).render)
      return output(
        summary
          + (map
            ?? draw(
              reasons(MapView.emptiness(model)).flatMap {
                DocumentLine.paragraph($0, width: columns, indent: 0)
              }
            ))
      )
    }
    guard let table = screen.table else { return output(draw(document(model))) }
    let summary = DocumentLine(Fitting.parts(table.summary(model), columns, glyphs), role: .dim)
    guard model.rows.count > 0 else {
      let reasons = reasons(table.emptiness(model)).flatMap {
        DocumentLine.paragraph($0, width: columns, indent: 0)
      }
      guard model.rows.total > 0 else { return output(draw([summary] + reasons)) }
      return output(
        draw(
          [summary, DocumentLine("No row passes the filter.")]
            + table.unknownColumns(model).flatMap {
              DocumentLine.paragraph($0, width: columns, indent: 0)
            }
        )
      )
    }
    output(draw([summary]))
    table.writeAll(model, columns: columns, limit: limit, ANSIText(palette: palette), output)
    if screen == .queues, let report = model.queues {
      output("\n" + draw(QueuesView.crossings(report, model, width: columns)))
    }
  }

  /// The sentences of an empty screen, without the losses, which are printed above it.
  private func reasons(_ sentences: [String]) -> [String] {
    sentences.filter { !$0.hasPrefix(ScreenFrame.lossLabel) }
  }

  /// The lines of a screen that has no table; on Marbles, the summary and the time axis come first.
  private func document(_ model: Model) -> [DocumentLine] {
    var lines = model.document
    if let limit, lines.count > limit {
      lines =
        Array(lines.prefix(limit)) + [DocumentLine("and \(lines.count - limit) more", role: .dim)]
    }
    guard screen == .marbles, model.marbles != nil else { return lines }
    var axis = Frame(size: Size(columns: columns, rows: 1), glyphs: glyphs)
    let width = MarblesView.labelWidth(columns)
    MarbleAxis.draw(MarblesView.query(model), &axis, row: 0, column: width, glyphs)
    return [
      DocumentLine(MarblesView.summary(model), role: .dim),
      DocumentLine(axis.line(0), role: .heading),
    ]
      + lines + [DocumentLine(MarbleSigns.legend(glyphs), role: .dim)]
  }

  private func findings(_ inspection: Inspection) -> String {
    let rule = RowFilter(screen == .findings ? filter : "")
    let table = FindingsView.table(glyphs)
    let list = table.arrange(inspection.findings, id: FindingsView.id, filter: rule, sort: nil)
    let findings = list.places.map { inspection.findings[$0] }
    guard !findings.isEmpty else {
      var model = Model(size: Size(columns: columns, rows: Size.minimum.rows), glyphs: glyphs)
      _ = model.update(.inspection(inspection, at: .end))
      let text = reasons(FindingsView.emptiness(model)).prefix(screen == .sites ? 1 : 2)
      return "\n" + draw(text.flatMap { DocumentLine.paragraph($0, width: columns, indent: 0) })
    }
    var lines: [DocumentLine] = [DocumentLine(), .heading("Findings")]
    let shown = screen == .sites ? 10 : min(findings.count, limit ?? .max)
    for finding in findings.prefix(shown) {
      lines.append(
        DocumentLine([
          (finding.level.label, finding.level.role),
          ("  \(FindingsView.headline(finding))", .strong),
          ("  \(finding.kind.title)", .text),
        ])
      )
      lines += FindingsView.lines(finding, width: columns - 2, glyphs).map { line in
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
  /// The headings and the rows, as text.
  static func renderAll(
    _ model: Model,
    columns: Int,
    limit: Int? = nil,
    _ style: ANSIText
  ) -> String {
    table(of: model).renderAll(
      rows(model),
      model.rows,
      sort: model.place.sort,
      columns: columns,
      limit: limit,
      style
    )
  }

  static func writeAll(
    _ model: Model,
    columns: Int,
    limit: Int?,
    _ style: ANSIText,
    _ output: (String) -> Void
  ) { output(renderAll(model, columns: columns, limit: limit, style)) }
}

extension EventsView {
  /// Writes the headings and the rows; if there is a limit, only the latest rows.
  static func writeAll(
    _ model: Model,
    columns width: Int,
    limit: Int?,
    _ style: ANSIText,
    _ output: (String) -> Void
  ) {
    let table = table(of: model)
    let layout = table.layout(width: width)
    let rows = model.events.rows
    let first = max(0, rows.count - (limit ?? rows.count))
    var line = Frame(size: Size(columns: width, rows: 1), glyphs: model.glyphs)
    table.drawHeadings(&line, row: 0, layout, sort: nil)
    output(style.render(line))
    if first > 0 { output("earlier events left out: \(first)\n") }
    rows.forEachPiece(from: first) { piece in
      var text = ""
      for row in piece {
        var line = Frame(size: Size(columns: width, rows: 1), glyphs: model.glyphs)
        table.draw(row, &line, row: 0, layout)
        text += style.render(line)
      }
      output(text)
    }
  }
}

extension Table {
  /// The headings and the rows of a list, as text.
  ///
  /// Each row is drawn into a frame of its own, because a frame with all rows would be large.
  func renderAll<Rows: RandomAccessCollection<Row>>(
    _ rows: Rows,
    _ list: RowList,
    sort: SortOrder?,
    columns width: Int,
    limit: Int?,
    _ output: ANSIText
  ) -> String where Rows.Index == Int {
    let layout = layout(width: width)
    var headings = Frame(size: Size(columns: width, rows: 1), glyphs: glyphs)
    drawHeadings(&headings, row: 0, layout, sort: sort ?? defaultSort)
    var text = output.render(headings)
    for place in list.places.prefix(limit ?? .max) {
      var line = Frame(size: Size(columns: width, rows: 1), glyphs: glyphs)
      draw(rows[place], &line, row: 0, layout)
      text += output.render(line)
    }
    if let limit, list.count > limit { text += "and \(list.count - limit) more\n" }
    return text
  }
}

extension BatchText {
  /// The text of a screen, with empty answers to its questions about the records.
  public func render(_ inspection: Inspection) -> String {
    render(inspection) { query in
      switch query {
      case .marbles(let query): .marbles(MarbleChart(query: query, tracks: []))
      case .queues: .queues(QueueReport())
      case .journey: .journey(Journey())
      case .base: .base(SiteBase(inspection))
      case .histograms: .histograms([])
      case .moments: .moments([])
      case .flow: .flow(FlowReport())
      case .account(let scope, _): .account(Account(scope))
      }
    }
  }
}

extension Inspection {
  /// Filters, sorts and limits the rows of one screen; the rows of other screens are kept.
  public mutating func narrow(to screen: Screen, filter: String, sort: String?, limit: Int?) {
    var settings = Settings()
    if let sort { settings.sort[screen] = sort }
    var model = Model(size: .standard, screen: screen, filter: filter, settings: settings)
    // Sorting by a column that does not exist keeps the order of the rows.
    if sort == nil { model.place.sort = SortOrder(column: "", ascending: true) }
    _ = model.update(.inspection(self, at: .end))
    while model.isSearching { _ = model.update(.idle) }
    let places = model.rows.places.prefix(limit ?? .max)
    switch screen {
    case .sites: sites = places.map { sites[$0] }
    case .signals: signals = places.map { signals[$0] }
    case .subscriptions: subscriptions = places.map { subscriptions[$0] }
    case .events:
      let rows = model.events.rows
      var kept: [EventRow] = []
      rows.forEach(in: max(0, rows.count - (limit ?? rows.count))..<rows.count) { kept.append($1) }
      events = kept
    case .findings: findings = places.map { findings[$0] }
    case .map, .graph, .marbles, .queues, .diff, .detail, .help: break
    }
  }
}

extension Screen {
  /// The names of the columns by which the screen can be sorted.
  public var sortableColumns: [String] { table?.sortable.map(\.name) ?? [] }

  /// Whether `--sort` accepts this order for the screen.
  public func canSort(by text: String) -> Bool { SortOrder(text, on: self, .utf8) != nil }
}
