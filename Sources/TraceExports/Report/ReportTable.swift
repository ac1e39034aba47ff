import TraceModel

/// A table with declared columns, which the script of the page can sort and search.
struct ReportTable<Row> {
  private let columns: [Column<Row>]
  private let rows: [Row]

  /// The text of a cell without a value.
  private static var dash: String { "–" }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - columns: The columns; those with a heading are shown, unless they are empty in every row.
  ///   - rows: The rows in the order in which they are shown.
  init(_ columns: [Column<Row>], _ rows: [Row]) {
    self.rows = rows
    self.columns = columns.filter { column in
      column.heading != nil
        && rows.contains { ![Self.dash, "", " "].contains(Self.text(column, $0)) }
    }
  }

  /// Writes the table.
  ///
  /// - Parameters:
  ///   - id: The identifier of the table.
  ///   - caption: The caption.
  ///   - sorted: Identifiers of columns. The heading of the first of them that is shown says that
  ///     the rows are already sorted by it, in descending order.
  ///   - html: The writer.
  ///   - rowID: Returns the anchor of a row, to which other parts of the page link; nil for none.
  func write(
    _ id: String,
    _ caption: String,
    sorted: [String],
    _ html: inout HTMLWriter,
    rowID: (Row) -> String?
  ) {
    let sortedBy = sorted.first { id in columns.contains { $0.id == id } }
    html.scrolling(caption) { html in
      html.element("table", ["id": id, "class": "sortable"]) { html in
        html.element("caption", text: caption)
        html.element("thead") { html in
          html.element("tr") { html in
            for column in columns { heading(column, isSorted: column.id == sortedBy, &html) }
          }
        }
        html.element("tbody") { html in
          for row in rows {
            html.raw("\n")
            if let id = rowID(row) {
              html.element("tr", ["id": id, "tabindex": "-1"]) { cells(row, &$0) }
            } else {
              html.element("tr") { cells(row, &$0) }
            }
          }
        }
      }
    }
  }

  func writeMeanings(_ html: inout HTMLWriter) {
    html.element("details") { html in
      html.element("summary", text: "What the columns mean")
      html.element("dl") { html in
        for column in columns {
          html.element("dt", text: Self.title(column))
          html.element("dd") { $0.prose(column.help) }
        }
      }
    }
  }

  private static func title(_ column: Column<Row>) -> String {
    column.id == "worst" ? "finding" : column.heading?.title ?? column.id
  }

  private func heading(_ column: Column<Row>, isSorted: Bool, _ html: inout HTMLWriter) {
    let isSortable = column.heading?.isSortable ?? false
    html.element(
      "th",
      [
        "scope": "col", "class": column.kind.isAlignedRight ? "number" : "word",
        "data-order": !isSortable ? "none" : column.isNumeric ? "number" : "text",
        "aria-sort": isSorted ? "descending" : "none",
      ],
      text: Self.title(column)
    )
  }

  private func cells(_ row: Row, _ html: inout HTMLWriter) {
    for column in columns {
      let text = Self.text(column, row)
      if column.id == "place" {
        html.element("th", ["scope": "row"], text: text)
        continue
      }
      if case .series(let figures?) = column.value(row), figures.count > 1 {
        html.element("td") { Self.write(figures, &$0) }
        continue
      }
      let role = column.id == "worst" ? "level \(text.lowercased())" : "\(column.role(of: row))"
      let style = column.kind.isAlignedRight ? "number \(role)" : role
      if let number = column.number(of: row), column.isNumeric {
        html.element("td", ["class": style, "data-number": "\(number)"], text: text)
      } else {
        html.element("td", ["class": style], text: text)
      }
    }
  }

  /// The text of a cell, with words instead of the symbols that screens show.
  private static func text(_ column: Column<Row>, _ row: Row) -> String {
    switch column.value(row) {
    case .text(let level) where column.id == "worst": level ?? ""
    // A row has no counts at marks if there are no marks, or if its site creates no subscriptions.
    case .series(nil): dash
    default: column.text(of: row, dash: dash)
    }
  }

  /// Writes figures as a line chart.
  private static func write(_ figures: [Double], _ html: inout HTMLWriter) {
    let most = max(figures.max() ?? 0, 1)
    let points = figures.enumerated().map { place, figure in
      "\(place * 96 / (figures.count - 1)),\(19 - Int(figure / most * 16))"
    }
    html.element(
      "svg",
      [
        "class": "spark", "viewBox": "0 0 96 20", "role": "img",
        "aria-label":
          "from \(Quantity.rate(figures.first)) to \(Quantity.rate(figures.last)), at most \(Quantity.rate(figures.max()))",
      ]
    ) { html in
      html.element("polyline", ["points": points.joined(separator: " ")]) { _ in }
    }
  }
}

/// The section of a report with the table of lines of code.
struct ReportSites {
  private let inspection: Inspection
  private let rows: [SiteRow]
  private let ids: Set<UInt32>

  /// The maximum number of rows in the page.
  static let limit = 400

  init(_ inspection: Inspection) {
    self.inspection = inspection
    rows = Self.shown(inspection)
    ids = Set(rows.map(\.id))
  }

  /// The link to the row of a line of code; nil if the row is left out.
  func link(_ site: UInt32) -> String? { ids.contains(site) ? "#site-\(site)" : nil }

  /// The accused lines first, then the lines with the most live instances.
  private static func shown(_ inspection: Inspection) -> [SiteRow] {
    let rank = SiteRow.columns.first { $0.id == "worst" }
    let ranked = inspection.sites.map { (rank: rank?.number(of: $0) ?? 0, row: $0) }
      .sorted { ($1.rank, $0.row.id) < ($0.rank, $1.row.id) }
    return ranked.prefix(limit).map(\.row)
  }

  func write(_ html: inout HTMLWriter) {
    html.section("sites", "Lines of code") { html in
      guard !rows.isEmpty else {
        return html.element(
          "p",
          text: inspection.program.isIncomplete
            ? "No line of code is known, but the recording is incomplete, so this proves nothing."
            : "The program used no line of code that makes signals."
        )
      }
      html.element("p", ["class": "tools", "hidden": ""]) { html in
        html.element("label", ["for": "filter"], text: "Only lines with")
        html.raw(" ")
        html.void("input", ["id": "filter", "type": "search", "data-table": "sites-table"])
        html.raw(" ")
        html.element("span", ["id": "filter-count", "role": "status"]) { _ in }
      }
      let table = ReportTable(SiteRow.columns, rows)
      table.write(
        "sites-table",
        "Lines of code at the end of the recording",
        sorted: ["worst", "liveOfKind"],
        &html
      ) { "site-\($0.id)" }
      let rest = inspection.sites.count - rows.count
      if rest > 0 {
        html.element("p") {
          $0.prose(
            "\(Quantity.of(rest, "more line is", "more lines are")) left out: those shown come first by findings, then by what lives. `rxtop export csv \(inspection.program.fileName) --table sites` writes all."
          )
        }
      }
      table.writeMeanings(&html)
    }
  }
}
