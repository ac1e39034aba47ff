/// The value of a column for one row.
public enum ColumnValue: Sendable {
  /// A text as recorded, not yet escaped for the terminal.
  case text(String?)
  case count(UInt64?)
  case change(Int?)
  case duration(Duration?)
  /// The time since the recording began.
  case moment(Duration?)
  /// A number per second.
  case rate(Double?)
  /// A part of a whole: 1 is all of it.
  case share(Double?)
  case number(UInt64?)
  case entity(EntityKey?)
  case entities([EntityKey])
  case flag(Bool?)
  case words([String])
  case counts([(name: String, count: UInt64?)])
  /// Figures at equal intervals of time.
  case series([Double]?)

  /// The number by which rows are sorted and compared; nil if the value is unknown or is not a
  /// number.
  public var number: Double? {
    switch self {
    case .count(let value), .number(let value): value.map { Double($0) }
    case .change(let value): value.map { Double($0) }
    case .duration(let value), .moment(let value): value.map { $0 / .nanoseconds(1) }
    case .rate(let value), .share(let value): value
    case .entity(let key): key.map { Double($0.serial) }
    case .text, .entities, .flag, .words, .counts, .series: nil
    }
  }

  /// The text on screens, with control characters escaped; `?` if the value is unknown.
  package var text: String {
    switch self {
    case .text(let text): text.map { displayName($0) } ?? Quantity.unknown
    case .count(let value): Quantity.count(value)
    case .change(let value): Quantity.change(value)
    case .duration(let value): Quantity.duration(value)
    case .moment(let value): value.map(Quantity.exactMoment) ?? Quantity.unknown
    case .rate(let value): Quantity.rate(value)
    case .share(let value): Quantity.percent(value)
    case .number(let value): value.map { "\($0)" } ?? Quantity.unknown
    case .entity(let key): key?.label ?? Quantity.unknown
    case .entities(let keys): keys.map(\.label).joined(separator: " ")
    case .flag(let value): value.map { $0 ? "yes" : "no" } ?? Quantity.unknown
    case .words(let words): words.map { displayName($0) }.joined(separator: " ")
    case .counts(let counts):
      counts.map { "\($0.name) \(Quantity.count($0.count))" }.joined(separator: " ")
    case .series(let figures):
      figures?.map { Quantity.rate($0) }.joined(separator: " ") ?? Quantity.unknown
    }
  }
}

/// The types of a column's values.
public enum ColumnKind: Sendable {
  case text, count, change, duration, moment, rate, share, number, entity, entities, flag, words,
    counts, series

  /// Whether the numbers of such a column are nanoseconds.
  package var isTime: Bool { self == .duration || self == .moment }

  /// Whether rows are ordered by numbers.
  public var isNumeric: Bool {
    switch self {
    case .count, .change, .duration, .moment, .rate, .share, .number, .entity: true
    case .text, .entities, .flag, .words, .counts, .series: false
    }
  }

  /// Whether such a column is aligned to the right, so that the units are below one another.
  public var isAlignedRight: Bool { isNumeric && self != .entity }

  /// Whether filters search columns of this type for a bare word, because the value is a text or
  /// identifies something.
  ///
  /// Columns of other types are examined only by conditions that name the column. A word matches a
  /// moment, or a number such as `#8203`, only if the word is its whole text.
  public var isSearched: Bool {
    (!isAlignedRight && self != .flag && self != .series) || self == .moment || self == .number
  }
}
