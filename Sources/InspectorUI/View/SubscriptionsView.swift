import TraceModel
internal import TraceReading

/// The screen Subscriptions: a row for each running instance of a signal.
package enum SubscriptionsView: TableScreen {
  static var columns: [Column<SubscriptionRow>] { SubscriptionRow.columns }
  static var defaultSort: SortOrder? { SortOrder(column: "age", ascending: false) }

  static func rows(_ model: Model) -> LazyRows<SubscriptionRow> {
    model.inspection.subscriptionRows
  }
  static func id(_ row: SubscriptionRow) -> RowID { .subscription(row.key) }
  static func matchKey(at index: Int, in rows: LazyRows<SubscriptionRow>) -> RowMatchKey? {
    rows.matchKey(at: index)
  }

  static func belongs(_ row: SubscriptionRow, to scope: Scope, in inspection: Inspection) -> Bool {
    switch scope {
    case .all: true
    case .site(let site): row.site == site
    case .signal(let key): row.signal == key
    case .subscription(let key): row.key == key || row.root == key
    case .queue(let queue):
      inspection.schedulers.first { $0.id == queue }?.name == row.scheduler
    case .timer, .chain, .owner, .owners, .record: false
    }
  }

  static func find(again list: RowList, _ model: Model) -> RowList? {
    list.found(again: rows(model)) { if case .subscription(let key) = $0 { key } else { nil } }
  }

  static func subject(of row: SubscriptionRow) -> Scope? { .subscription(row.key) }
  static func target(of row: SubscriptionRow, in inspection: Inspection) -> Place? {
    Place(.detail, scope: .subscription(row.key))
  }

  static func summary(_ model: Model) -> String {
    let rows = model.inspection.subscriptionRows
    var (live, roots, ended, released) = (0, 0, 0, 0)
    func count(_ isLive: Bool?, _ state: LifeState?, isRoot: Bool) {
      if isLive == true { live += 1 }
      if isLive == true, isRoot { roots += 1 }
      if state == .released { released += 1 } else if isLive == false { ended += 1 }
    }
    for place in model.rows.places {
      if let order = rows.order {
        let entity = order[place]
        count(entity.isLive, entity.state, isRoot: order.builder.isRoot(entity.site))
      } else {
        count(rows[place].state?.isLive, rows[place].state, isRoot: rows[place].isRoot)
      }
    }
    return
      "\(Quantity.count(live)) live, \(Quantity.count(roots)) of them made by the program "
      + "itself (root)"
      + (ended > 0 ? ", \(Quantity.count(ended)) just ended" : "")
      + (released > 0 ? ", \(Quantity.count(released)) just released" : "")
      + (callerProblem(model).map { "; callers: \(displayName($0, columns: 200))" } ?? "")
  }

  /// Why the callers of the subscriptions on the screen are unknown although the stacks were
  /// recorded; nil if the callers are known or their column is not shown.
  private static func callerProblem(_ model: Model) -> String? {
    let table = table(model.glyphs)
    let shown = table.layout(width: model.size.columns).shown
    guard shown.contains(where: { table.columns[$0].column.id == "caller" }) else { return nil }
    let rows = model.inspection.subscriptionRows
    let onScreen = model.rows.places.dropFirst(model.place.list.top).prefix(model.size.rows)
    return onScreen.lazy.filter(rows.indices.contains).compactMap { rows[$0].callerProblem }.first
  }

  static func emptiness(_ model: Model) -> [String] {
    if model.place.scope != .all {
      return [
        "Nothing subscribes here at this moment of the recording.",
        "Press Esc to go back, d for the latest that have ended, or [ for the change before.",
      ]
    }
    return ScreenFrame.reasons(
      [
        "Nothing is subscribed to at this moment of the recording.",
        model.isFollowing && model.isRunning
          ? "Rows appear as soon as the program subscribes to a signal."
          : "Press [ and ] to go from change to change, $ for the newest state.",
      ],
      model
    )
  }
}
