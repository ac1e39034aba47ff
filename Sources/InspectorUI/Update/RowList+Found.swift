import TraceModel

extension RowList {
  /// Finds the rows of this list in a later inspection, in the same order; rows that no longer
  /// exist are left out.
  ///
  /// - Complexity: O(n) if few rows were added or removed, because each row is first looked for at
  ///   its old index, shifted by as much as the previous row has moved; O(n log n) otherwise.
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
