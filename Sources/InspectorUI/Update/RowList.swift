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

  struct Origin: Hashable, Sendable {
    let screen: Screen
    let scope: Scope
    let sort: SortOrder?
    let filter: String
    /// What Diff compares with: without an answer about that moment it has no rows.
    let comparedWith: Position?
    var reading: Int
    let study: Int
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

  var count: Int { ids.count }
}

/// What a column sorts by.
///
/// Unknown values come last in either direction.
enum SortKey: Sendable {
  case number(Double?)
  case text(String)

  // Not `Double.init`, which takes the number for the bits of one.
  static func count(_ value: UInt64?) -> SortKey { .number(value.map { Double($0) }) }
  static func duration(_ value: Duration?) -> SortKey {
    .number(value.map { $0 / .nanoseconds(1) })
  }

  func isBefore(_ other: SortKey, ascending: Bool) -> Bool {
    switch (self, other) {
    case (.number(let left?), .number(let right?)): ascending ? left < right : left > right
    case (.number(_?), .number(nil)): true
    case (.text(let left), .text(let right)): ascending ? left < right : left > right
    default: false
    }
  }
}

extension Table {
  /// Narrows, filters and sorts; rows that are equal keep their order.
  ///
  /// - Complexity: O(n log n) for n rows that pass; the text of a row is made only if there is a filter.
  func arrange(
    _ rows: some RandomAccessCollection<Row>,
    id: (Row) -> RowID,
    filter: RowFilter,
    sort: SortOrder?,
    where belongs: (Row) -> Bool = { _ in true }
  ) -> RowList {
    var list = RowList()
    let rows = Array(rows)
    for (place, row) in rows.enumerated() where belongs(row) {
      list.total += 1
      if filter.isEmpty || filter.admits(text(of: row), { value(of: $0, in: row) }) {
        list.places.append(place)
      }
    }
    if let sort, let key = columns.first(where: { $0.title == sort.column })?.key {
      let keyed = list.places.map { (place: $0, key: key(rows[$0])) }
      list.places = keyed.sorted { left, right in
        if left.key.isBefore(right.key, ascending: sort.ascending) { return true }
        if right.key.isBefore(left.key, ascending: sort.ascending) { return false }
        return left.place < right.place
      }.map(\.place)
    }
    list.ids = list.places.map { id(rows[$0]) }
    return list
  }

  /// What a column of a row says, by the name of the column; nil if there is none.
  func value(of column: String, in row: Row) -> (text: String, number: Double?)? {
    guard let column = columns.first(where: { $0.isCalled(column) }) else { return nil }
    var number: Double?
    if case .number(let value)? = column.key?(row) { number = value }
    return (column.cell(row).text, number)
  }

  /// Everything a row says, for searching and filtering.
  func text(of row: Row) -> String {
    columns.map { $0.cell(row).text }.joined(separator: " ")
  }
}
