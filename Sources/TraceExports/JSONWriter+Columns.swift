package import TraceModel
import TraceReading

extension JSONWriter {
  /// Writes an array of rows, each an object with the exported columns.
  package mutating func rows<Row>(
    _ key: String,
    _ columns: [Column<Row>],
    _ rows: some Collection<Row>
  ) {
    array(key, rows) { json, row in json.object { $0.fields(columns, row) } }
  }

  /// Writes the exported columns of a row.
  package mutating func fields<Row>(_ columns: [Column<Row>], _ row: Row) {
    for column in columns where !column.isOnScreenOnly { field(column.id, column.value(row)) }
  }

  private mutating func field(_ name: String, _ value: ColumnValue) {
    switch value {
    case .text(let text): field(name, text)
    case .count(let value), .number(let value): field(name, value)
    case .change(let value): field(name, value)
    case .duration(let value), .moment(let value): field(name, value)
    case .rate(let value), .share(let value): field(name, value)
    case .flag(let value): field(name, value)
    case .words(let words): field(name, words)
    case .series(let figures):
      if let figures {
        array(name, figures) { $0.field(nil, $1) }
      } else {
        field(name, nil as String?)
      }
    case .entity(let entity): key(name, entity)
    case .entities(let entities): array(name, entities) { $0.key(nil, $1) }
    case .counts(let counts):
      object(name) { json in
        for (name, count) in counts { json.field(name, count) }
      }
    }
  }

  /// Writes an entity as an object with its serial, which is null if it is unknown, and its
  /// identifier.
  ///
  /// Writes null if there is no entity.
  mutating func key(_ name: String?, _ key: EntityKey?) {
    guard let key else {
      field(name, nil as String?)
      return
    }
    object(name) { json in
      json.field("serial", key.serial == 0 ? nil : key.serial)
      json.field("id", key.id.rawValue)
    }
  }
}
