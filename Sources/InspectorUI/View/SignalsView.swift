import TraceModel
internal import TraceReading

/// Signals: descriptions of work, whether or not anybody subscribes to them.
enum SignalsView: TableScreen {
  static func table(_ glyphs: Glyphs) -> Table<SignalRow> {
    Table(
      columns: [
        Column("signal", width: 7, key: { .count($0.key.serial) }) { ($0.key.label, .dim) },
        Column("state", width: 8, key: { .text(state($0)) }) { (state($0), role($0)) },
        Column(
          "operator@file:line",
          width: 20,
          weight: 3,
          keepsEnd: true,
          key: { .text(label($0)) }
        ) {
          (label($0), .text)
        },
        Column("name", width: 8, weight: 1, priority: 6, key: { .text($0.givenName ?? "") }) {
          ($0.givenName.map { displayName($0, columns: 60) } ?? glyphs.dash, .text)
        },
        Column("subs", width: 5, priority: 2, isNumber: true, key: { .count($0.subscriptions) }) {
          (Quantity.count($0.subscriptions), $0.subscriptions == 0 ? .dim : .strong)
        },
        Column("ever", width: 5, priority: 5, isNumber: true, key: { .count($0.subscriptionsEver) })
        {
          (Quantity.count($0.subscriptionsEver), .text)
        },
        Column("age", width: 7, priority: 3, isNumber: true, key: { .duration($0.age) }) {
          (Quantity.duration($0.age), .text)
        },
        Column("from", width: 12, weight: 1, priority: 7) {
          (
            $0.upstreams.isEmpty ? glyphs.dash : $0.upstreams.map(\.label).joined(separator: " "),
            .dim
          )
        },
      ],
      glyphs: glyphs,
      defaultSort: SortOrder(column: "subs", ascending: false)
    )
  }

  static func rows(_ model: Model) -> LazyRows<SignalRow> { model.inspection.signalRows }
  static func id(_ row: SignalRow) -> RowID { .signal(row.key) }
  static func belongs(_ row: SignalRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.site) || scope == .signal(row.key)
  }
  static func arrange(_ model: Model) -> RowList {
    let table = table(model.glyphs)
    let sort = model.place.sort ?? table.defaultSort
    let scope = model.place.scope
    let rows = rows(model)
    guard let order = rows.order else {
      return table.arrange(rows, id: id, filter: model.filter, sort: sort) {
        scope == .all || belongs($0, to: scope, in: model.inspection)
      }
    }
    let columns = EntityColumns(number: { number($0, order) }) { index in
      scope == .all || scope == .site(order[index].site) || scope == .signal(order.key(index))
    }
    return table.arrange(rows, columns, id: RowID.signal, filter: model.filter, sort: sort)
  }

  static func find(again list: RowList, _ model: Model) -> RowList? {
    list.found(again: rows(model)) { if case .signal(let key) = $0 { key } else { nil } }
  }

  /// What a column sorts by, as ``table(_:)`` has it of rows.
  private static func number(_ column: String, _ order: EntityOrder) -> ((Int) -> Double?)? {
    let builder = order.builder
    switch column {
    case "signal": return { Double(order[$0].key.serial) }
    case "subs": return { order[$0].depth.map { Double($0) } }
    case "ever": return { order[$0].count.map { Double($0) } }
    case "age": return { builder.moment.ticks(since: order[$0].createdAt) }
    case "operator@file:line": return builder.siteRanks { order[$0].site }
    case "name":
      let numbers = Set((0..<order.count).map { order[$0].name }).sorted()
      let texts = numbers.map { $0 == 0 ? "" : builder.moment.snapshot.string($0) }
      let ranks = Dictionary(
        zip(numbers, textRanks(of: texts)),
        uniquingKeysWith: { first, _ in first }
      )
      return { ranks[order[$0].name] }
    case "state":
      let texts = LifeState.allCases.map(name) + [Quantity.unknown]
      let ranks = textRanks(of: texts)
      return { index in
        let state = order[index].lifeState
        return ranks[state.flatMap { LifeState.allCases.firstIndex(of: $0) } ?? texts.count - 1]
      }
    default: return nil
    }
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
    let states: [LifeState] = [.created, .active, .inactive, .released]
    return states.map { "\(Quantity.count(counts[$0] ?? 0)) \(name($0))" }.joined(separator: ", ")
      + (unknown > 0 ? ", \(Quantity.count(unknown)) in an unknown state" : "")
  }

  static func emptiness(_ model: Model) -> [String] {
    [
      "No signal exists at this moment of the recording.",
      Chrome.whatToDo(model, "Rows appear when the program applies operators while it is traced."),
    ]
  }

  static func label(_ row: SignalRow) -> String {
    displayName("\(row.name)@\(row.location)", columns: 120)
  }

  private static func state(_ row: SignalRow) -> String { row.state.map(name) ?? Quantity.unknown }

  private static func name(_ state: LifeState) -> String {
    switch state {
    case .created: "created"
    case .active: "active"
    case .inactive: "inactive"
    case .disposing: "ending"
    case .ended: "ended"
    case .released: "released"
    }
  }

  private static func role(_ row: SignalRow) -> Role {
    switch row.state {
    case .active: .good
    case .released, .ended: .gone
    default: .text
    }
  }
}
