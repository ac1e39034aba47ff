import TraceModel

/// A screen with a table: where the rows come from, how they are drawn, and what Enter opens.
///
/// Each such screen is a type without instances. What the screens have in common, such as
/// restricting, sorting and drawing rows, is implemented in an extension of this protocol.
protocol TableScreen {
  associatedtype Row
  associatedtype Rows: RandomAccessCollection<Row> where Rows.Index == Int

  static var columns: [Column<Row>] { get }
  /// The default order of rows; nil to keep the order of the trace.
  static var defaultSort: SortOrder? { get }
  /// The table for a model; only on Diff, its columns depend on the model.
  static func table(of model: Model) -> Table<Row>
  static func rows(_ model: Model) -> Rows
  /// Whether the rows come from the answer to a question about the records, so that they must be
  /// updated when an answer arrives.
  static var isQueried: Bool { get }
  static func id(_ row: Row) -> RowID
  /// The parts of a row that words of a filter can match; nil if the whole row is needed.
  static func matchKey(at index: Int, in rows: Rows) -> RowMatchKey?
  /// The rows that belong to the scope of the screen, filtered and sorted.
  ///
  /// If the rows before filtering are known, only the filter is applied.
  static func arrange(_ model: Model, _ beforeFilter: RowList?) -> RowList
  /// The rows of a list from an earlier inspection, found again in the model's inspection; nil on
  /// screens that always filter and sort their rows again.
  static func find(again list: RowList, _ model: Model) -> RowList?
  static func belongs(_ row: Row, to scope: Scope, in inspection: Inspection) -> Bool
  /// The subject of a row, such as a line of code or a subscription, which other screens can show.
  static func subject(of row: Row) -> Scope?
  /// The screen that Enter opens; nil if there is none.
  static func target(of row: Row, in inspection: Inspection) -> Place?
  /// The number of the record that the row is about; nil if there is none.
  static func event(of row: Row) -> UInt64?
  /// The line above the table.
  static func summary(_ model: Model) -> String
  /// Sentences that say why there are no rows, and what to do.
  static func emptiness(_ model: Model) -> [String]
  /// Writes the headings and the rows as text.
  static func writeAll(
    _ model: Model,
    columns: Int,
    limit: Int?,
    _ style: ANSIText,
    _ output: (String) -> Void
  )
}

extension TableScreen {
  static var isQueried: Bool { false }

  static func event(of row: Row) -> UInt64? { nil }
  static func matchKey(at index: Int, in rows: Rows) -> RowMatchKey? { nil }
  static func find(again list: RowList, _ model: Model) -> RowList? { nil }
  static var defaultSort: SortOrder? { nil }

  static func table(_ glyphs: Glyphs) -> Table<Row> { Table(columns, glyphs, sort: defaultSort) }

  static func table(of model: Model) -> Table<Row> { table(model.glyphs) }

  static func arrange(_ model: Model, _ beforeFilter: RowList?) -> RowList {
    let table = table(of: model)
    let scope = model.place.scope
    if let beforeFilter {
      let rows = rows(model)
      return table.filter(beforeFilter, rows, model.filter) { matchKey(at: $0, in: rows) }
    }
    return table.arrange(
      rows(model),
      id: id,
      filter: model.filter,
      sort: model.place.sort ?? table.defaultSort,
      where: scope == .all ? nil : { belongs($0, to: scope, in: model.inspection) }
    )
  }

  static func draw(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    let table = table(of: model)
    let columns = table.layout(width: frame.size.columns)
    if let row = layout.headings {
      table.drawHeadings(&frame, row: row, columns, sort: model.place.sort ?? table.defaultSort)
    }
    let rows = rows(model)
    let list = model.place.list
    for (offset, row) in layout.list.enumerated() {
      let index = list.top + offset
      guard let place = model.rows.place(at: index) else { break }
      // The list may be from an earlier inspection or answer than the rows.
      guard rows.indices.contains(place) else { continue }
      let item = rows[place]
      table.draw(item, &frame, row: row, columns, matching: model.search)
      // The tag is drawn in the blank between the first two columns.
      if !model.tags.isEmpty, model.isTagged(subject(of: item)) {
        frame.put(model.glyphs.tag, row: row, column: columns.widths.first ?? 0, role: .message)
      }
      if index == list.index { frame.select(row: row) }
    }
    guard model.rows.count == 0 else { return }
    // On Findings, the space for the explanation is free if there is no row.
    let hasExplanation = model.place.screen != .findings
    ScreenFrame.drawEmptiness(reasons(model), &frame, layout, hasExplanation: hasExplanation)
  }

  /// Sentences that say why there are no rows: nothing has been read yet, the search goes on, the
  /// filter excludes all rows, or the screen has a reason of its own.
  private static func reasons(_ model: Model) -> [String] {
    guard model.hasInspection else { return ["Reading the trace …"] }
    if model.isSearching {
      return [
        "Nothing found yet in the \(Quantity.percent(model.events.share)) of the recording that has been searched.",
        "Press Esc to stop.",
      ]
    }
    if model.rows.total > 0 {
      return [
        "None of \(Quantity.of(model.rows.total, "row", "rows")) passes the filter '\(model.filter.text)'."
      ] + unknownColumns(model) + ["Press \\ and Enter on an empty line to show them all."]
    }
    return emptiness(model)
  }

  /// Remarks about a filter that names a column that the screen does not have, compares with
  /// something that is not a number, or lacks the value to compare with.
  static func unknownColumns(_ model: Model) -> [String] {
    let table = table(of: model)
    let unknown = model.filter.columns.filter { table.column($0) == nil }
    let names = table.columns.map(\.heading.name).filter { !$0.isEmpty }
    var problems: [String] = []
    if let first = unknown.first {
      problems = [
        "No column is called '\(first)', so the text was searched for; columns are \(names.joined(separator: ", "))."
      ]
    }
    if let first = model.filter.unfinished.first(where: { table.column($0.column) != nil }) {
      problems.append(
        "'\(displayName(first.condition, columns: 60))' lacks a value to compare with, so it was searched for as a text."
      )
    }
    if let figure = model.filter.unreadFigures.first {
      problems.append(
        "'\(figure)' is neither a number nor a time; use figures such as 12, 1.2k, 3.9s or 250ms."
      )
    }
    return problems
  }

  static func subject(_ model: Model, at place: Int) -> Scope? {
    row(model, at: place).flatMap(subject(of:))
  }

  static func target(_ model: Model, at place: Int) -> Place? {
    row(model, at: place).flatMap { target(of: $0, in: model.inspection) }
  }

  static func event(_ model: Model, at place: Int) -> UInt64? {
    row(model, at: place).flatMap(event(of:))
  }

  static func text(_ model: Model, at place: Int) -> String {
    row(model, at: place).map { table(of: model).text(of: $0) } ?? ""
  }

  /// Whether a filter can compare a column with that name.
  static func hasColumn(_ name: String) -> Bool { table(.utf8).column(name) != nil }

  /// The columns by which rows can be sorted.
  static var sortable: [SortableColumn] { table(.utf8).sortable }

  /// The columns by which the rows of a model can be sorted.
  static func sortable(_ model: Model) -> [SortableColumn] { table(of: model).sortable }

  /// The order of a model's rows.
  static func order(_ model: Model) -> SortOrder? {
    model.place.sort ?? table(of: model).defaultSort
  }

  /// The titles of the columns that fit on the screen.
  static func shownTitles(_ model: Model) -> [String] {
    let table = table(of: model)
    return table.layout(width: model.size.columns).shown.map { table.columns[$0].heading.title }
  }

  /// The meanings of the columns, for the help; adjacent columns with the same meaning share an
  /// entry.
  static var columnHelp: [(titles: [String], meaning: String)] { table(.utf8).columnHelp }

  /// The title of the table's column at a column of the screen; nil if there is none.
  static func title(at column: Int, _ model: Model) -> String? {
    table(of: model).title(at: column, width: model.size.columns)
  }

  private static func row(_ model: Model, at place: Int) -> Row? {
    let rows = rows(model)
    return rows.indices.contains(place) ? rows[place] : nil
  }
}

extension Screen {
  /// The table of the screen; nil for screens of text.
  var table: (any TableScreen.Type)? {
    switch self {
    case .sites: SitesView.self
    case .signals: SignalsView.self
    case .subscriptions: SubscriptionsView.self
    case .events: EventsView.self
    case .findings: FindingsView.self
    case .queues: QueuesView.self
    case .diff: DiffView.self
    case .map, .graph, .marbles, .detail, .help: nil
    }
  }
}
