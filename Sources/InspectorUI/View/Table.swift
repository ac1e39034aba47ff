import TraceModel

/// The columns of a table that fit a width, and the width of each.
struct TableLayout: Equatable {
  /// The indices of the columns that are shown, from left to right.
  let shown: [Int]
  /// The widths of the columns that are shown.
  let widths: [Int]

  /// Drops columns until the rest fits, and distributes the remaining width by weight.
  ///
  /// There is one blank between two columns.
  ///
  /// - Parameters:
  ///   - preferences: The minimum width, the weight and the priority of each column. Columns with
  ///     the greatest priority number are dropped first, and columns with 0 are never dropped.
  ///   - limits: The maximum width of a column, by index; without an entry, there is no limit.
  ///   - hidden: The columns that are not shown at this width.
  ///   - width: The available width.
  init(
    _ preferences: [(width: Int, weight: Int, priority: Int)],
    limits: [Int: Int] = [:],
    hidden: Set<Int> = [],
    width: Int
  ) {
    var shown = preferences.indices.filter { !hidden.contains($0) }
    func needed() -> Int {
      shown.reduce(0) { $0 + preferences[$1].width } + max(0, shown.count - 1)
    }
    while needed() > width {
      guard
        let victim = shown.filter({ preferences[$0].priority > 0 }).max(by: { left, right in
          (preferences[left].priority, left) < (preferences[right].priority, right)
        })
      else { break }
      shown.removeAll { $0 == victim }
    }
    var widths = shown.map { preferences[$0].width }
    var left = max(0, width - needed())
    var weights = shown.reduce(0) { $0 + preferences[$1].weight }
    // Columns with a limit come first, so that the others share the width that is left over.
    let order = shown.indices.sorted { one, other in
      let (isLimited, isOther) = (limits[shown[one]] != nil, limits[shown[other]] != nil)
      return isLimited == isOther ? one < other : isLimited
    }
    for index in order where preferences[shown[index]].weight > 0 {
      let column = shown[index]
      let most = max(0, (limits[column] ?? .max) - widths[index])
      let share = min(most, left * preferences[column].weight / weights)
      widths[index] += share
      left -= share
      weights -= preferences[column].weight
    }
    self.shown = shown
    self.widths = widths
  }
}

/// A table of rows, which is drawn into a frame.
struct Table<Row> {
  /// The columns that screens show, with their headings.
  let columns: [(heading: ColumnHeading, column: Column<Row>)]
  /// The columns that only exports contain; filters can compare them as well.
  private let exported: [Column<Row>]
  let glyphs: Glyphs
  /// The default order of rows; nil to keep the order of the trace.
  let defaultSort: SortOrder?

  init(_ columns: [Column<Row>], _ glyphs: Glyphs, sort: SortOrder? = nil) {
    self.columns = columns.compactMap { column in column.heading.map { ($0, column) } }
    exported = columns.filter { $0.heading == nil }
    self.glyphs = glyphs
    defaultSort = sort
  }

  func layout(width: Int) -> TableLayout {
    TableLayout(
      columns.map { ($0.heading.width, $0.heading.weight, $0.heading.priority) },
      limits: Dictionary(
        uniqueKeysWithValues: columns.indices.filter { columns[$0].heading.keepsEnd }
          .map { ($0, Self.longestPlace) }
      ),
      hidden: Set(columns.indices.filter { columns[$0].heading.leastColumns > width }),
      width: width
    )
  }

  /// The maximum width of a column whose texts are shortened in the middle, such as an operator and
  /// its line of code: few such texts are longer, and other columns need the remaining width more.
  private static var longestPlace: Int { 48 }

  /// The column to which a filter or a command refers.
  func column(_ name: String) -> Column<Row>? {
    columns.first { $0.column.isCalled(name) }?.column ?? exported.first { $0.isCalled(name) }
  }

  /// The columns by which rows can be sorted.
  var sortable: [SortableColumn] {
    columns.filter(\.heading.isSortable).map {
      SortableColumn(
        title: $0.heading.title,
        name: $0.heading.name,
        isDescendingFirst: $0.column.isDescendingFirst
      )
    }
  }

  /// The meanings of the columns, for the help; adjacent columns with the same meaning share an
  /// entry.
  var columnHelp: [(titles: [String], meaning: String)] {
    var entries: [(titles: [String], meaning: String)] = []
    for (heading, column) in columns {
      if entries.last?.meaning == column.help {
        entries[entries.count - 1].titles.append(heading.title)
      } else {
        entries.append(([heading.title], column.help))
      }
    }
    return entries
  }

  /// The title of the table's column at a column of the screen; nil if there is none.
  func title(at column: Int, width: Int) -> String? {
    let layout = layout(width: width)
    var left = 0
    for (index, width) in zip(layout.shown, layout.widths) {
      if (left..<(left + width + 1)).contains(column) { return columns[index].heading.title }
      left += width + 1
    }
    return nil
  }

  func drawHeadings(_ frame: inout Frame, row: Int, _ layout: TableLayout, sort: SortOrder?) {
    var left = 0
    for (index, width) in zip(layout.shown, layout.widths) {
      let title = columns[index].heading.title
      let isSorted = sort?.column == title
      let arrow = isSorted ? (sort?.ascending == true ? glyphs.ascending : glyphs.descending) : ""
      let text = Fitting.head(title, width - CellWidth.of(arrow), glyphs) + arrow
      let isAtRight = columns[index].column.kind.isAlignedRight
      let start = isAtRight ? left + width - CellWidth.of(text) : left
      frame.put(text, row: row, column: start, role: isSorted ? .sortedHeading : .heading)
      left += width + 1
    }
  }

  private func text(of item: Row, in column: Column<Row>) -> String {
    guard column.kind == .series, case .series(let figures) = column.value(item) else {
      return column.text(of: item, dash: glyphs.dash)
    }
    guard let figures else { return glyphs.dash }
    let signs = Sparkline.text(figures, glyphs)
    return signs.isEmpty ? String(repeating: glyphs.marbles.quiet, count: figures.count) : signs
  }

  /// Draws a row of the table on the line `row` of the frame.
  func draw(
    _ item: Row,
    _ frame: inout Frame,
    row: Int,
    _ layout: TableLayout,
    matching: String = ""
  ) {
    var left = 0
    for (index, width) in zip(layout.shown, layout.widths) {
      let (heading, column) = columns[index]
      let text = text(of: item, in: column)
      let role = column.role(of: item)
      let fitted =
        if heading.losesBeginning {
          Fitting.tail(text, width, glyphs)
        } else if heading.keepsEnd {
          Fitting.middle(text, width, glyphs)
        } else {
          Fitting.head(text, width, glyphs)
        }
      let start = column.kind.isAlignedRight ? left + max(0, width - CellWidth.of(fitted)) : left
      frame.put(fitted, row: row, column: start, width: width, role: role)
      if !matching.isEmpty, let place = fitted.foldedRange(of: matching) {
        let offset = CellWidth.of(fitted[..<place.lowerBound])
        frame.put(
          String(fitted[place]),
          row: row,
          column: start + offset,
          width: width - offset,
          role: .match
        )
      }
      left += width + 1
    }
  }
}

/// A column by which rows can be sorted.
struct SortableColumn {
  /// The heading.
  let title: String
  /// The name that commands use.
  let name: String
  let isDescendingFirst: Bool
}

extension String {
  /// The first occurrence of `needle`, ignoring case.
  ///
  /// A blank also matches `@`, which separates an operator from its line of code, and vice versa.
  ///
  /// - Complexity: O(count × needle).
  func foldedRange(of needle: String) -> Range<String.Index>? {
    func folded(_ character: Character) -> String {
      character == "@" ? " " : character.lowercased()
    }
    let needle = needle.lowercased().map(folded)
    guard !needle.isEmpty else { return nil }
    var start = startIndex
    while start < endIndex {
      var index = start
      var matched = 0
      while index < endIndex, matched < needle.count,
        folded(self[index]) == needle[matched]
      {
        index = self.index(after: index)
        matched += 1
      }
      if matched == needle.count { return start..<index }
      start = self.index(after: start)
    }
    return nil
  }
}
