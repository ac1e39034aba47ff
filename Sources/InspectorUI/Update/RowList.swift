import TraceModel

/// The rows of a list screen, restricted to its scope, filtered and sorted.
struct RowList: Sendable {
  /// The identifier of each row.
  var ids: [RowID] = []
  /// The index of each row in the array of the inspection.
  var places: [Int] = []
  /// The number of rows before filtering.
  var total = 0
  /// The inputs from which the rows were made; rows with equal inputs can be reused.
  var origin: Origin?
  /// The number of the inspection to which ``places`` refer, if the rows were found again in it
  /// instead of being filtered and sorted again.
  var foundAt: Int?
  /// The number of refreshes after which the rows of a running program are filtered and sorted
  /// again; greater than 0 if that is expensive.
  ///
  /// Until then, the same rows are shown with their current values.
  var maxStaleRefreshes = 0
  /// The rows of Events, for which no arrays of identifiers and indices are made.
  private var events: EventRows?

  struct Origin: Hashable, Sendable {
    let screen: Screen
    let scope: Scope
    let sort: SortOrder?
    private(set) var filter: String
    /// The moment with which Diff compares.
    let comparedWith: Position?
    /// The number of the comparison with another recording; 0 if there is none.
    let comparison: Int
    var inspectionNumber: Int
    let query: Int

    var withoutFilter: Origin {
      var origin = self
      origin.filter = ""
      return origin
    }
  }

  /// Restores the order that the rows had in an earlier list; new rows come last.
  mutating func keep(orderOf before: RowList) {
    var ranks: [RowID: Int] = [:]
    for (rank, id) in before.ids.enumerated() { ranks[id] = rank }
    let order = ids.indices.sorted { left, right in
      (ranks[ids[left]] ?? .max, left) < (ranks[ids[right]] ?? .max, right)
    }
    places = order.map { places[$0] }
    ids = order.map { ids[$0] }
  }

  init() {}

  /// Creates a list of events.
  init(_ events: EventRows, total: Int) {
    self.events = events
    self.total = total
  }

  var count: Int { events?.count ?? ids.count }

  /// The identifiers of the rows.
  var rowIDs: RowIDs { events.map(RowIDs.init) ?? RowIDs(ids) }

  /// The index, in the array of the inspection, of the row at an index of this list; nil if there
  /// is no such row.
  func place(at index: Int) -> Int? {
    guard (0..<count).contains(index) else { return nil }
    return events == nil ? places[index] : index
  }
}

extension Table {
  /// Restricts, filters and sorts rows.
  ///
  /// The sort is stable, and unknown values come last in either direction. Each row is created once
  /// and not kept, because there may be many.
  ///
  /// - Complexity: O(n log n) for n rows.
  func arrange<Rows: RandomAccessCollection<Row>>(
    _ rows: Rows,
    id: (Row) -> RowID,
    filter: RowFilter,
    sort: SortOrder?,
    where belongs: ((Row) -> Bool)? = nil
  ) -> RowList where Rows.Index == Int {
    var list = RowList()
    let matching = RowMatching(self, filter)
    list.places.reserveCapacity(rows.count)
    list.ids.reserveCapacity(rows.count)
    let key = sort.flatMap { sort in
      columns.first { $0.heading.title == sort.column && $0.heading.isSortable }?.column
    }
    var order = key.map { RowOrder($0, ascending: sort?.ascending ?? true, dash: glyphs.dash) }
    for place in rows.indices {
      let row = rows[place]
      if let belongs, !belongs(row) { continue }
      list.total += 1
      guard filter.isEmpty || matching.admits(row) else { continue }
      list.places.append(place)
      list.ids.append(id(row))
      order?.add(row)
    }
    if !filter.isEmpty { list.maxStaleRefreshes = list.total / Self.rowsPerStaleRefresh }
    if let order {
      let places = order.sorted
      list.ids = places.map { list.ids[$0] }
      list.places = places.map { list.places[$0] }
    }
    return list
  }

  /// Filters rows that have already been restricted and sorted.
  ///
  /// - Parameters:
  ///   - list: The rows before filtering.
  ///   - rows: The array to which the indices in `list` refer.
  ///   - filter: The filter.
  ///   - matchKey: Returns the parts of the row at an index that the words of the filter can match;
  ///     nil if the whole row is needed.
  /// - Returns: The rows that pass, in the same order.
  /// - Complexity: O(n).
  func filter<Rows: RandomAccessCollection<Row>>(
    _ list: RowList,
    _ rows: Rows,
    _ filter: RowFilter,
    by matchKey: (Int) -> RowMatchKey?
  ) -> RowList where Rows.Index == Int {
    guard !filter.isEmpty else { return list }
    var filtered = RowList()
    filtered.total = list.total
    filtered.maxStaleRefreshes = list.total / Self.rowsPerStaleRefresh
    let matching = RowMatching(self, filter)
    let isOfWords = filter.isOfWords
    var verdicts: [RowMatchKey: Bool] = [:]
    func admits(_ place: Int) -> Bool {
      guard isOfWords, let key = matchKey(place) else { return matching.admits(rows[place]) }
      if let known = verdicts[key] { return known }
      let verdict = matching.admits(rows[place])
      verdicts[key] = verdict
      return verdict
    }
    for (index, place) in list.places.enumerated() where admits(place) {
      filtered.places.append(place)
      filtered.ids.append(list.ids[index])
    }
    return filtered
  }

  /// For each multiple of this number of rows, filtering and sorting again is postponed by one
  /// refresh.
  private static var rowsPerStaleRefresh: Int { 5000 }

  /// The whole text of a row, for searching.
  func text(of row: Row) -> String {
    columns.map { $0.column.text(of: row, dash: glyphs.dash) }.joined(separator: " ")
  }
}

/// The sort keys of rows: a number for each row, or a text that many rows share.
private struct RowOrder<Row> {
  private let column: Column<Row>
  private let sign: Double
  private let dash: String
  private var numbers: [Double] = []
  /// The distinct texts, if the keys are texts; the number of a row is then the index of its text.
  private var texts: [String] = []
  private var numberOfText: [String: Int] = [:]
  private var numberOfGroup: [Int: Int] = [:]

  init(_ column: Column<Row>, ascending: Bool, dash: String) {
    self.column = column
    sign = ascending ? 1 : -1
    self.dash = dash
  }

  mutating func add(_ row: Row) {
    if column.isNumeric {
      let number = column.number(of: row) ?? .infinity
      return numbers.append(number == .infinity ? number : number * sign)
    }
    let group = column.group?(row)
    if let group, let number = numberOfGroup[group] { return numbers.append(Double(number)) }
    let text = column.text(of: row, dash: dash)
    let number = numberOfText[text] ?? texts.count
    if number == texts.count {
      texts.append(text)
      numberOfText[text] = number
    }
    if let group { numberOfGroup[group] = number }
    numbers.append(Double(number))
  }

  /// The indices of the added rows, sorted by their keys.
  var sorted: [Int] {
    var keys = numbers
    if !column.isNumeric {
      var ranks = [Double](repeating: 0, count: texts.count)
      for (rank, number) in texts.indices.sorted(by: { texts[$0] < texts[$1] }).enumerated() {
        ranks[number] = Double(rank) * sign
      }
      keys = numbers.map { ranks[Int($0)] }
    }
    return keys.indices.map { (key: keys[$0], place: Int32($0)) }
      .sorted { ($0.key, $0.place) < ($1.key, $1.place) }
      .map { Int($0.place) }
  }
}

/// Decides which rows pass a filter, and caches the results for texts that many rows share.
///
/// The type is a class, so that its columns are not copied for each row.
final class RowMatching<Row> {
  private let filter: RowFilter
  private let dash: String
  private let searched: [Searched]
  private let compared: [Compared]

  /// A column whose value the filter compares.
  ///
  /// A filter compares so few columns that a linear search is faster than hashing.
  private final class Compared {
    let name: String
    let column: Column<Row>

    init(_ name: String, _ column: Column<Row>) { (self.name, self.column) = (name, column) }
  }

  /// A column in which the words of the filter are searched for.
  private final class Searched {
    let column: Column<Row>
    /// For each word of the filter, whether the text that a group of rows shares contains the word.
    private var verdicts: [(word: String, byGroup: [Int: Bool])] = []

    init(_ column: Column<Row>) { self.column = column }

    func holds(_ word: String, _ row: Row, _ dash: String) -> Bool {
      guard let group = column.group?(row) else {
        return column.contains(word, in: row, dash: dash)
      }
      let place = verdicts.firstIndex { $0.word == word } ?? verdicts.count
      if place == verdicts.count { verdicts.append((word, [:])) }
      if let known = verdicts[place].byGroup[group] { return known }
      let holds = column.contains(word, in: row, dash: dash)
      verdicts[place].byGroup[group] = holds
      return holds
    }
  }

  init(_ table: Table<Row>, _ filter: RowFilter) {
    self.filter = filter
    dash = table.glyphs.dash
    searched = table.columns.map(\.column)
      .filter { $0.kind.isSearched && !$0.isComparedOnly }
      .map(Searched.init)
    compared = filter.columns.compactMap { name in table.column(name).map { Compared(name, $0) } }
  }

  func admits(_ row: Row) -> Bool {
    filter.admits(
      row,
      { word, row in searched.contains { $0.holds(word, row, dash) } },
      text: { name, row in
        compared.first { $0.name == name }?.column.text(of: row, dash: dash)
      },
      number: { name, row in compared.first { $0.name == name }?.column.number(of: row) },
      isTime: { name in compared.first { $0.name == name }?.column.kind.isTime ?? false }
    )
  }
}
