import TraceModel

/// The rows of a list screen after narrowing, filtering and sorting.
struct RowList: Sendable {
  /// What each row stands for.
  var ids: [RowID] = []
  /// Where each stands in the array of the inspection.
  var places: [Int] = []
  /// Rows before the filter.
  var total = 0
  /// What they were made from; the same again makes the same rows.
  var origin: Origin?
  /// The inspection that ``places`` are of, where only these were made anew since.
  var foundAt: Int?
  /// Looks at a running program until rows are filtered and sorted anew, where that is dear.
  ///
  /// Until then the same rows stay, with what they say now.
  var patience = 0
  /// Of Events: the rows themselves, which have no lists.
  private var events: EventRows?

  struct Origin: Hashable, Sendable {
    let screen: Screen
    let scope: Scope
    let sort: SortOrder?
    private(set) var filter: String
    /// What Diff compares with: without an answer about that moment it has no rows.
    let comparedWith: Position?
    var reading: Int
    let query: Int

    var withoutFilter: Origin {
      var origin = self
      origin.filter = ""
      return origin
    }
  }

  /// Puts rows that were there before into the order they had; new ones come behind them.
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

  /// All of some events.
  init(_ events: EventRows, total: Int) {
    self.events = events
    self.total = total
  }

  var count: Int { events?.count ?? ids.count }

  /// What the rows stand for.
  var rowIDs: RowIDs { events.map(RowIDs.init) ?? RowIDs(ids) }

  /// Where a row stands among those it was made from; nil if there is none.
  func place(at index: Int) -> Int? {
    guard (0..<count).contains(index) else { return nil }
    return events == nil ? places[index] : index
  }
}

extension Table {
  /// Narrows, filters and sorts; rows that are equal keep their order, and what is unknown comes last in either direction.
  ///
  /// Of many rows, each is made once for the filter and once for the order.
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
    if !filter.isEmpty { list.patience = list.total / Self.rowsForPatience }
    if let order {
      let places = order.sorted
      list.ids = places.map { list.ids[$0] }
      list.places = places.map { list.places[$0] }
    }
    return list
  }

  /// Filters rows that were narrowed and sorted already.
  ///
  /// - Parameters:
  ///   - list: The rows.
  ///   - rows: What they are places in.
  ///   - filter: What they have to pass.
  ///   - likeness: Says of a place what its row has in common with others, as far as words are looked for in it; nil where each is to be made.
  /// - Returns: Those that pass, in the same order.
  /// - Complexity: O(n), without what the order costs.
  func filter<Rows: RandomAccessCollection<Row>>(
    _ list: RowList,
    _ rows: Rows,
    _ filter: RowFilter,
    alike likeness: (Int) -> RowLikeness?
  ) -> RowList where Rows.Index == Int {
    guard !filter.isEmpty else { return list }
    var filtered = RowList()
    filtered.total = list.total
    filtered.patience = list.total / Self.rowsForPatience
    let matching = RowMatching(self, filter)
    let isOfWords = filter.isOfWords
    var verdicts: [RowLikeness: Bool] = [:]
    func admits(_ place: Int) -> Bool {
      guard isOfWords, let alike = likeness(place) else { return matching.admits(rows[place]) }
      if let known = verdicts[alike] { return known }
      let verdict = matching.admits(rows[place])
      verdicts[alike] = verdict
      return verdict
    }
    for (index, place) in list.places.enumerated() where admits(place) {
      filtered.places.append(place)
      filtered.ids.append(list.ids[index])
    }
    return filtered
  }

  /// Rows whose text may be made at each look.
  private static var rowsForPatience: Int { 5000 }

  /// Everything a row says, for searching.
  func text(of row: Row) -> String {
    columns.map { $0.column.text(of: row, dash: glyphs.dash) }.joined(separator: " ")
  }
}

/// What rows are ordered by: a number for each, or a text that many of them share.
private struct RowOrder<Row> {
  private let column: Column<Row>
  private let sign: Double
  private let dash: String
  private var numbers: [Double] = []
  /// Of texts: which one each row has.
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

  /// Places of the rows added.
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

/// Tells which rows pass a filter, remembering what texts that many rows share have said.
///
/// A class, whose columns are not copied for each row.
final class RowMatching<Row> {
  private let filter: RowFilter
  private let dash: String
  private let searched: [Searched]
  private let compared: [Compared]

  /// A column whose figures are compared: there are few, so that looking through them takes less than a hash.
  private final class Compared {
    let name: String
    let column: Column<Row>

    init(_ name: String, _ column: Column<Row>) { (self.name, self.column) = (name, column) }
  }

  /// A column in which words are looked for.
  private final class Searched {
    let column: Column<Row>
    /// Whether the text of a group holds a word, for the few words there are.
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
