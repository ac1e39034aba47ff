import TraceModel
internal import TraceReading

/// Subscriptions: running instances of signals, which are what leaks.
package enum SubscriptionsView: TableScreen {
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
        Column("state", width: 9, key: { .text($0.stateWord) }) { ($0.stateWord, role($0)) },
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

  static func rows(_ model: Model) -> LazyRows<SubscriptionRow> {
    model.inspection.subscriptionRows
  }
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

  static func arrange(_ model: Model) -> RowList {
    let table = table(model.glyphs)
    let sort = model.place.sort ?? table.defaultSort
    let scope = model.place.scope
    guard let links = model.inspection.subscriptionLinks else {
      return table.arrange(rows(model), id: id, filter: model.filter, sort: sort) {
        scope == .all || belongs($0, to: scope, in: model.inspection)
      }
    }
    let columns = EntityColumns(number: { number($0, links) }) { index in
      belongs(index, links, to: scope, in: model.inspection)
    }
    return table.arrange(
      rows(model),
      columns,
      id: RowID.subscription,
      filter: model.filter,
      sort: sort
    )
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
    var (live, roots, gone) = (0, 0, 0)
    func count(_ isLive: Bool?, isRoot: Bool) {
      if isLive == true { live += 1 }
      if isLive == true, isRoot { roots += 1 }
      if isLive == false { gone += 1 }
    }
    for place in model.rows.places {
      if let order = rows.order {
        let entity = order[place]
        count(entity.isLive, isRoot: order.builder.isRoot(entity.site))
      } else {
        count(rows[place].state?.isLive, isRoot: rows[place].isRoot)
      }
    }
    return
      "\(Quantity.count(live)) live, \(Quantity.count(roots)) of them made by the program "
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

  private static func role(_ row: SubscriptionRow) -> Role {
    guard row.state?.isLive != false else { return row.endReason == .failed ? .violation : .gone }
    return row.isDisposableReleased ? .suspect : row.change == .new ? .good : .text
  }

  private static func last(_ row: SubscriptionRow, _ glyphs: Glyphs) -> String {
    if let age = row.lastEventAge { return Quantity.duration(age) }
    return row.events == 0 ? glyphs.dash : Quantity.unknown
  }
}

// MARK: Without rows

extension SubscriptionsView {
  /// What a column sorts by, as ``table(_:)`` has it of rows.
  private static func number(_ column: String, _ links: SubscriptionLinks) -> ((Int) -> Double?)? {
    let order = links.order
    let builder = order.builder
    switch column {
    case "subscr.": return { Double(order[$0].key.serial) }
    case "age": return { builder.moment.ticks(since: order[$0].createdAt) }
    case "events": return { order[$0].count.map { Double($0) } }
    case "/s": return { builder.rate(order[$0]) }
    case "last": return { builder.moment.ticks(since: order[$0].lastEventAt) }
    case "held": return { order[$0].depth.map { Double($0) } }
    case "root": return { links.root(of: $0).map { Double(order.key($0).serial) } }
    case "operator@file:line": return builder.siteRanks { order[$0].site }
    case "scheduler":
      let names = builder.moment.snapshot.schedulers.indices.map {
        builder.scheduler(UInt32($0)) ?? ""
      }
      let ranks = textRanks(of: names + [""])
      return { ranks[min(Int(order[$0].scheduler), names.count)] }
    case "state":
      var texts: [String: Double] = [:]
      let states: [LifeState?] = LifeState.allCases + [nil]
      let all = states.flatMap { life in
        (EndReason.allCases + [nil]).flatMap { reason in
          [false, true].map { StateWord.of(life, reason, isDropped: $0) }
        }
      }
      for (rank, text) in Set(all).sorted().enumerated() { texts[text] = Double(rank) }
      return {
        let entity = order[$0]
        return texts[
          StateWord.of(entity.state, entity.reason, isDropped: entity.isDisposableReleased)
        ]
      }
    default: return nil
    }
  }

  private static func belongs(
    _ index: Int,
    _ links: SubscriptionLinks,
    to scope: Scope,
    in inspection: Inspection
  ) -> Bool {
    let order = links.order
    switch scope {
    case .all: return true
    case .site(let site): return order[index].site == site
    case .signal(let key): return order.builder.key(order[index].signal) == key
    case .subscription(let key):
      return order.key(index) == key || links.root(of: index).map(order.key) == key
    case .queue(let queue):
      let name = inspection.schedulers.first { $0.id == queue }?.name
      return name == order.builder.scheduler(order[index].scheduler)
    case .timer, .chain: return false
    }
  }
}
