/// One column of a table of `Row`s.
struct Column<Row> {
  /// Heading, also what `<` and `>` name.
  let title: String
  /// Columns it needs; it never gets fewer.
  let width: Int
  /// Share of what is left over; 0 keeps it at its width.
  let weight: Int
  /// Columns with high numbers are dropped first on narrow terminals; 0 never is.
  let priority: Int
  /// Numbers stand at the right, so that their units are under one another.
  let isNumber: Bool
  /// Whether a text that does not fit loses its middle rather than its end: for places in the source.
  let keepsEnd: Bool
  /// What it sorts by; nil where sorting makes no sense.
  let key: ((Row) -> SortKey)?
  /// What the cell says and how it looks.
  let cell: (Row) -> (text: String, role: Role)

  /// Whether a filter or a command means it: by its heading, or the first word of that, without case.
  func isCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    let title = title.lowercased()
    return title == name || (title == "!" && name == "findings")
      || title.split(whereSeparator: { "@ (".contains($0) }).first.map(String.init) == name
  }

  init(
    _ title: String,
    width: Int,
    weight: Int = 0,
    priority: Int = 0,
    isNumber: Bool = false,
    keepsEnd: Bool = false,
    key: ((Row) -> SortKey)? = nil,
    cell: @escaping (Row) -> (text: String, role: Role)
  ) {
    self.title = title
    self.width = width
    self.weight = weight
    self.priority = priority
    self.isNumber = isNumber
    self.keepsEnd = keepsEnd
    self.key = key
    self.cell = cell
  }
}

/// Which columns of a table are shown, and how wide each is.
struct TableLayout: Equatable {
  /// Numbers of the columns shown, left to right.
  let shown: [Int]
  /// The width of each of them.
  let widths: [Int]

  /// One blank between columns.
  ///
  /// Drops by priority until the rest fits, then hands out what is left.
  init(_ wishes: [(width: Int, weight: Int, priority: Int)], width: Int) {
    var shown = Array(wishes.indices)
    func needed() -> Int { shown.reduce(0) { $0 + wishes[$1].width } + max(0, shown.count - 1) }
    while needed() > width {
      guard
        let victim = shown.filter({ wishes[$0].priority > 0 }).max(by: { left, right in
          (wishes[left].priority, left) < (wishes[right].priority, right)
        })
      else { break }
      shown.removeAll { $0 == victim }
    }
    var widths = shown.map { wishes[$0].width }
    var left = max(0, width - needed())
    var weights = shown.reduce(0) { $0 + wishes[$1].weight }
    for (index, column) in shown.enumerated() where wishes[column].weight > 0 {
      let share = left * wishes[column].weight / weights
      widths[index] += share
      left -= share
      weights -= wishes[column].weight
    }
    self.shown = shown
    self.widths = widths
  }
}

/// A table: headings, rows and the layout they share, on a frame or as text.
struct Table<Row> {
  let columns: [Column<Row>]
  let glyphs: Glyphs
  /// The order rows have until another is asked for; nil keeps that of the trace.
  var defaultSort: SortOrder?

  func layout(width: Int) -> TableLayout {
    TableLayout(columns.map { ($0.width, $0.weight, $0.priority) }, width: width)
  }

  /// Draws the headings at `row`.
  func drawHeadings(_ frame: inout Frame, row: Int, _ layout: TableLayout, sort: SortOrder?) {
    var left = 0
    for (index, width) in zip(layout.shown, layout.widths) {
      let isSorted = sort?.column == columns[index].title
      let arrow = isSorted ? (sort?.ascending == true ? glyphs.ascending : glyphs.descending) : ""
      let title = Fitting.head(columns[index].title, width - CellWidth.of(arrow), glyphs) + arrow
      let start = columns[index].isNumber ? left + width - CellWidth.of(title) : left
      frame.put(title, row: row, column: start, role: isSorted ? .sortedHeading : .heading)
      left += width + 1
    }
  }

  /// Draws one row of data at `row`.
  func draw(
    _ item: Row,
    _ frame: inout Frame,
    row: Int,
    _ layout: TableLayout,
    matching: String = ""
  ) {
    var left = 0
    for (index, width) in zip(layout.shown, layout.widths) {
      let column = columns[index]
      let (text, role) = column.cell(item)
      let fitted =
        column.keepsEnd
        ? Fitting.middle(text, width, glyphs) : Fitting.head(text, width, glyphs)
      let start = column.isNumber ? left + max(0, width - CellWidth.of(fitted)) : left
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

extension String {
  /// Where `needle` first stands, letters compared without case.
  ///
  /// O(count × needle).
  func foldedRange(of needle: String) -> Range<String.Index>? {
    let needle = Array(needle.lowercased())
    guard !needle.isEmpty else { return nil }
    var start = startIndex
    while start < endIndex {
      var index = start
      var matched = 0
      while index < endIndex, matched < needle.count,
        self[index].lowercased() == String(needle[matched])
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
