import TraceModel

extension RowList {
  /// The same rows in a later inspection and in the same order, without rows that have disappeared.
  ///
  /// - Complexity: O(n) if few rows have come or gone, because each row is first looked for right
  ///   after the one before it; O(n log n) otherwise.
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
