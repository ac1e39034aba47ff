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

  static func rows(_ model: Model) -> [SignalRow] { model.inspection.signals }
  static func id(_ row: SignalRow) -> RowID { .signal(row.key) }
  static func belongs(_ row: SignalRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.site) || scope == .signal(row.key)
  }
  static func subject(of row: SignalRow) -> Scope? { .signal(row.key) }
  static func target(of row: SignalRow, in inspection: Inspection) -> Place? {
    Place(.detail, scope: .signal(row.key))
  }

  static func summary(_ model: Model) -> String {
    let signals = model.inspection.signals
    let states: [LifeState] = [.created, .active, .inactive, .released]
    return states.map { state in
      "\(Quantity.count(signals.count { $0.state == state })) \(name(state))"
    }.joined(separator: ", ")
  }

  static func emptiness(_ model: Model) -> [String] {
    [
      "No signal exists at this moment of the recording.",
      "Signals appear when the program applies operators while it is traced.",
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
