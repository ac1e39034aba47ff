import TraceModel

/// What a table of entities asks of each of them, without a row: by its place in the order of creation.
struct EntityColumns {
  /// What a column sorts by, as a number; nil for columns without an order.
  let number: (_ column: String) -> ((Int) -> Double?)?
  /// Whether an entity is within what the screen was opened for; nil for everything.
  let belongs: ((Int) -> Bool)?
}

extension Table where Row: EntityRow {
  /// Narrows, filters and sorts entities of which there may be a hundred thousand.
  ///
  /// Rows are made only for a filter, one at a time; that is dear enough for ``RowList/patience``.
  ///
  /// - Complexity: O(n) where the order is that of creation or nearly so, O(n log n) otherwise.
  func arrange(
    _ rows: LazyRows<Row>,
    _ columns: EntityColumns,
    id: (EntityKey) -> RowID,
    filter: RowFilter,
    sort: SortOrder?
  ) -> RowList {
    var list = RowList()
    list.places.reserveCapacity(rows.count)
    for place in 0..<rows.count where columns.belongs?(place) ?? true {
      list.total += 1
      if filter.isEmpty {
        list.places.append(place)
      } else {
        let row = rows[place]
        if filter.admits(text(of: row), { value(of: $0, in: row) }) { list.places.append(place) }
      }
    }
    if !filter.isEmpty { list.patience = list.total / Self.rowsForPatience }
    if let sort, let number = columns.number(sort.column) {
      Self.sort(&list.places, by: number, ascending: sort.ascending)
    }
    list.ids = list.places.map { id(rows.key(at: $0)) }
    return list
  }

  /// Rows whose text may be made at each look.
  private static var rowsForPatience: Int { 5000 }

  /// What is unknown comes last in either direction; what is equal keeps its order.
  private static func sort(
    _ places: inout [Int],
    by number: (Int) -> Double?,
    ascending: Bool
  ) {
    let sign: Double = ascending ? 1 : -1
    var order = places.map { place in
      (key: number(place).map { $0 * sign } ?? .infinity, place: Int32(place))
    }
    order.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    for (index, entry) in order.enumerated() { places[index] = Int(entry.place) }
  }
}

extension RowList {
  /// The same rows in an inspection made since, in the same order, without those that are gone.
  ///
  /// - Complexity: O(n) where few have gone or come since, for each row is looked for first where it moved to with the one before it;
  ///   O(n log n) otherwise.
  func found(again rows: LazyRows<some EntityRow>, _ key: (RowID) -> EntityKey?) -> RowList {
    var list = self
    list.ids = []
    list.places = []
    list.ids.reserveCapacity(ids.count)
    list.places.reserveCapacity(places.count)
    var shift = 0
    for (id, before) in zip(ids, places) {
      guard let key = key(id) else { continue }
      var place = before + shift
      if !(0..<rows.count).contains(place) || rows.key(at: place) != key {
        guard let found = rows.index(of: key) else { continue }
        place = found
        shift = found - before
      }
      list.ids.append(id)
      list.places.append(place)
    }
    return list
  }
}
