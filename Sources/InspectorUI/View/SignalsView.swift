import TraceModel
internal import TraceReading

/// The screen Signals: a row for each signal, whether or not it has subscribers.
enum SignalsView: TableScreen {
  static var columns: [Column<SignalRow>] { SignalRow.columns }
  static var defaultSort: SortOrder? { SortOrder(column: "subs", ascending: false) }

  static func rows(_ model: Model) -> LazyRows<SignalRow> { model.inspection.signalRows }
  static func id(_ row: SignalRow) -> RowID { .signal(row.key) }
  static func belongs(_ row: SignalRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.site) || scope == .signal(row.key)
  }
  static func find(again list: RowList, _ model: Model) -> RowList? {
    list.found(again: rows(model)) { if case .signal(let key) = $0 { key } else { nil } }
  }

  static func subject(of row: SignalRow) -> Scope? { .signal(row.key) }
  static func target(of row: SignalRow, in inspection: Inspection) -> Place? {
    Place(.detail, scope: .signal(row.key))
  }

  static func summary(_ model: Model) -> String {
    let rows = model.inspection.signalRows
    var counts: [LifeState: Int] = [:]
    var unknown = 0
    for index in 0..<rows.count {
      let state = rows.order.map { $0[index].lifeState } ?? rows[index].state
      if let state { counts[state, default: 0] += 1 } else { unknown += 1 }
    }
    let states: [(LifeState, String)] = [
      (.created, "not subscribed to yet"), (.active, "active"), (.inactive, "inactive"),
      (.released, "just released"),
    ]
    // Only signals that have just been released have a row, so 0 would read as if none ever was.
    return states.filter { $0.0 != .released || (counts[.released] ?? 0) > 0 }
      .map { "\(Quantity.count(counts[$0.0] ?? 0)) \($0.1)" }.joined(separator: ", ")
      + (unknown > 0 ? ", \(Quantity.count(unknown)) in an unknown state" : "")
  }

  static func emptiness(_ model: Model) -> [String] {
    ScreenFrame.reasons(
      [
        "No signal exists at this moment of the recording.",
        ScreenFrame.emptyHint(
          model,
          "Rows appear when the program applies operators while it is traced."
        ),
      ],
      model
    )
  }
}
