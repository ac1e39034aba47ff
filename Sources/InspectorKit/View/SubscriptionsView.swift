internal import ReactiveTrace

/// Subscriptions: running instances of signals, which are what leaks.
enum SubscriptionsView: TableScreen {
  static func table(_ glyphs: Glyphs) -> Table<SubscriptionRow> {
    Table(
      columns: [
        Column("subscr.", width: 7, key: { .count($0.key.serial) }) { ($0.key.label, .dim) },
        Column(
          "operator@file:line",
          width: 18,
          weight: 3,
          keepsEnd: true,
          key: { .text(label($0)) }
        ) {
          (label($0), $0.state?.isLive == false ? .gone : $0.isRoot ? .strong : .text)
        },
        Column("state", width: 9, key: { .text(state($0)) }) { (state($0), role($0)) },
        Column("age", width: 7, priority: 1, isNumber: true, key: { .duration($0.age) }) {
          (Quantity.duration($0.age), .text)
        },
        Column("events", width: 7, priority: 2, isNumber: true, key: { .count($0.events) }) {
          (Quantity.count($0.events), .text)
        },
        Column("/s", width: 5, priority: 8, isNumber: true, key: { .number($0.rate) }) {
          (Quantity.rate($0.rate), ($0.rate ?? 0) > 0 ? .text : .dim)
        },
        Column("last", width: 7, priority: 3, isNumber: true, key: { .duration($0.lastEventAge) }) {
          (last($0, glyphs), .text)
        },
        Column(
          "held",
          width: 5,
          priority: 5,
          isNumber: true,
          key: { .count($0.held.map(UInt64.init)) }
        ) {
          (
            $0.held == 0 ? glyphs.dash : Quantity.count($0.held.map(UInt64.init)),
            ($0.held ?? 0) > 0 ? .text : .dim
          )
        },
        Column("root", width: 6, priority: 4, key: { .count($0.root?.serial) }) {
          ($0.isRoot ? "root" : $0.root?.label ?? Quantity.unknown, .dim)
        },
        Column("scheduler", width: 9, weight: 1, priority: 7, key: { .text($0.scheduler ?? "") }) {
          ($0.scheduler.map { displayName($0, columns: 40) } ?? glyphs.dash, .dim)
        },
      ],
      glyphs: glyphs,
      defaultSort: SortOrder(column: "age", ascending: false)
    )
  }

  static func rows(_ model: Model) -> [SubscriptionRow] { model.inspection.subscriptions }
  static func id(_ row: SubscriptionRow) -> RowID { .subscription(row.key) }

  static func belongs(_ row: SubscriptionRow, to scope: Scope, in inspection: Inspection) -> Bool {
    switch scope {
    case .all: true
    case .site(let site): row.site == site
    case .signal(let key): row.signal == key
    case .subscription(let key): row.key == key || row.root == key
    case .queue(let queue):
      inspection.schedulers.first { $0.id == queue }?.name == row.scheduler
    case .timer, .chain: false
    }
  }

  static func subject(of row: SubscriptionRow) -> Scope? { .subscription(row.key) }
  static func target(of row: SubscriptionRow, in inspection: Inspection) -> Place? {
    Place(.detail, scope: .subscription(row.key))
  }

  static func summary(_ model: Model) -> String {
    let all = model.inspection.subscriptions
    let rows = model.rows.places.map { all[$0] }
    let live = rows.filter { $0.state?.isLive == true }
    let gone = rows.count { $0.state?.isLive == false }
    let roots = live.count { $0.isRoot }
    return
      "\(Quantity.count(live.count)) live, \(Quantity.count(roots)) of them made by the program "
      + "itself (root), \(Quantity.count(gone)) just ended"
  }

  static func emptiness(_ model: Model) -> [String] {
    if model.place.scope != .all {
      return [
        "Nothing subscribes here at this moment of the recording.",
        "Press Esc to go back, or [ to go to the subscription or disposal before.",
      ]
    }
    return [
      "Nothing is subscribed to at this moment of the recording.",
      model.isFollowing && model.isRunning
        ? "Rows appear as soon as the program subscribes to a signal."
        : "Press [ and ] to go from change to change, End for the newest state.",
    ]
  }

  static func label(_ row: SubscriptionRow) -> String {
    displayName("\(row.name)@\(row.location)", columns: 120)
  }

  static func state(_ row: SubscriptionRow) -> String {
    switch row.state {
    case nil: return Quantity.unknown
    case .created: return "starting"
    case .active: return row.isDisposableReleased ? "dropped" : "active"
    case .disposing: return "ending"
    case .inactive: return "inactive"
    case .ended, .released: return row.endReason.map(name) ?? "ended"
    }
  }

  static func name(_ reason: EndReason) -> String {
    switch reason {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .ownerGone: "ownerless"
    case .sourceGone: "no source"
    }
  }

  private static func role(_ row: SubscriptionRow) -> Role {
    guard row.state?.isLive != false else { return row.endReason == .failed ? .violation : .gone }
    return row.isDisposableReleased ? .suspect : row.change == .new ? .good : .text
  }

  private static func last(_ row: SubscriptionRow, _ glyphs: Glyphs) -> String {
    if let age = row.lastEventAge { return Quantity.duration(age) }
    return row.events == 0 ? glyphs.dash : Quantity.unknown
  }
}
