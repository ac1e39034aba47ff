import TraceModel

/// The identifiers of the rows of a list; the identifiers of events are computed on demand.
struct RowIDs: Sendable {
  private enum Source: Sendable {
    case list([RowID])
    case events(EventRows)
  }

  private let source: Source

  init(_ ids: [RowID]) { source = .list(ids) }

  init(_ rows: EventRows) { source = .events(rows) }

  var count: Int {
    switch source {
    case .list(let ids): ids.count
    case .events(let rows): rows.count
    }
  }

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> RowID {
    switch source {
    case .list(let ids): ids[index]
    case .events(let rows): .event(rows.number(at: index))
    }
  }

  /// The index of a row; for an event that is not listed, the index of the event before it.
  func place(of id: RowID) -> Int? {
    switch source {
    case .list(let ids): return ids.firstIndex(of: id)
    case .events(let rows):
      guard case .event(let number) = id else { return nil }
      return rows.index(nearest: number)
    }
  }
}
