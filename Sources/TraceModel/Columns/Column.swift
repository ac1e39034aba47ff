/// One column of a table, declared once.
///
/// The table on the screen, sorting, filters, the help, JSON, CSV and `Documentation/JSON.md` are
/// all derived from this declaration. The columns of a table are declared in one list, such as
/// ``SiteRow/columns``, in the order of screens and exports.
public struct Column<Row>: Sendable {
  /// Its key in JSON and its heading in CSV.
  public let id: String
  /// What the column means, for the help and `Documentation/JSON.md`; begins in lower case and has
  /// no full stop.
  public let help: String
  /// The type of its values.
  public let kind: ColumnKind
  /// How the column is shown on the screen; nil if only exports have it.
  public private(set) var heading: ColumnHeading?
  /// Returns the column's value for a row.
  public let value: @Sendable (Row) -> ColumnValue
  /// Whether exports leave the column out, because it only combines what other columns contain.
  public private(set) var isOnScreenOnly = false
  /// Whether every row has a value.
  public private(set) var isNeverNull = false
  /// Whether filters ignore the column when they search for a bare word, so that only a condition
  /// with the column's name (`live>10`) examines it.
  public private(set) var isComparedOnly = false

  private var isNone: (@Sendable (Row) -> Bool)?
  private var emphasisOf: (@Sendable (Row) -> Role)?
  private var cellOf: (@Sendable (Row) -> String?)?
  private var rankOf: (@Sendable (Row) -> Double?)?
  /// Returns the number of the group that a row belongs to, or nil if it belongs to none.
  ///
  /// All rows of a group have the same text, so the text is made only once for each group.
  public private(set) var group: (@Sendable (Row) -> Int?)?

  /// Creates a column; the functions below, such as ``text(_:_:_:_:)``, ensure that `value` returns
  /// values of the type `kind`.
  private init(
    _ id: String,
    _ help: String,
    _ kind: ColumnKind,
    _ heading: ColumnHeading?,
    _ value: @escaping @Sendable (Row) -> ColumnValue
  ) {
    self.id = id
    self.help = help
    self.kind = kind
    self.heading = heading
    self.value = value
  }

  // MARK: Declaring

  /// A text as recorded, not yet escaped for the terminal.
  public static func text(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> String?
  ) -> Column { Column(id, help, .text, heading) { .text(value($0)) } }

  /// A count, such as the number of live subscriptions.
  public static func count(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> (some BinaryInteger & SendableMetatype)?
  ) -> Column {
    Column(id, help, .count, heading) { .count(value($0).map { UInt64(clamping: $0) }) }
  }

  /// A difference between two counts.
  public static func change(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Int?
  ) -> Column { Column(id, help, .change, heading) { .change(value($0)) } }

  /// A length of time.
  public static func duration(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Duration?
  ) -> Column { Column(id, help, .duration, heading) { .duration(value($0)) } }

  /// A moment, given as the time since the recording began.
  public static func moment(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Duration?
  ) -> Column { Column(id, help, .moment, heading) { .moment(value($0)) } }

  /// A rate per second.
  public static func rate(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(id, help, .rate, heading) { .rate(value($0)) } }

  /// A fraction of a whole, where 1 is the whole.
  public static func share(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(id, help, .share, heading) { .share(value($0)) } }

  /// A number that identifies a row.
  public static func number(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> (some BinaryInteger & SendableMetatype)?
  ) -> Column {
    Column(id, help, .number, heading) { .number(value($0).map { UInt64(clamping: $0) }) }
  }

  /// A signal, subscription or timer.
  public static func entity(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> EntityKey?
  ) -> Column { Column(id, help, .entity, heading) { .entity(value($0)) } }

  /// Several signals, subscriptions or timers.
  public static func entities(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> [EntityKey]
  ) -> Column { Column(id, help, .entities, heading) { .entities(value($0)) }.neverNull }

  /// A Boolean.
  public static func flag(
    _ id: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> Bool?
  ) -> Column { Column(id, help, .flag, nil) { .flag(value($0)) } }

  /// Several words.
  public static func words(
    _ id: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> [String]
  ) -> Column { Column(id, help, .words, nil) { .words(value($0)) }.neverNull }

  /// A count for each of several names.
  public static func counts(
    _ id: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> [(name: String, count: UInt64?)]
  ) -> Column { Column(id, help, .counts, nil) { .counts(value($0)) }.neverNull }

  /// Figures at equal intervals of time, which screens draw as bars of different heights; nil if
  /// there are none.
  public static func series(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> [Double]?
  ) -> Column { Column(id, help, .series, heading) { .series(value($0)) } }

  private func with(_ change: (inout Column) -> Void) -> Column {
    var column = self
    change(&column)
    return column
  }

  /// The column, marked as one for which every row has a value.
  public var neverNull: Column { with { $0.isNeverNull = true } }

  /// The column, excluded from searches for bare words, because other columns contain the same
  /// text.
  public var comparedOnly: Column { with { $0.isComparedOnly = true } }

  /// The column, left out by exports.
  public var onScreenOnly: Column { with { $0.isOnScreenOnly = true } }

  /// The column, left out by screens.
  public var exportedOnly: Column { with { $0.heading = nil } }

  /// The column, with a dash on screens for the rows that cannot have a value.
  ///
  /// In all other rows, a missing value is shown as unknown (`?`).
  public func none(_ isNone: @escaping @Sendable (Row) -> Bool) -> Column {
    with { $0.isNone = isNone }
  }

  /// The column, with a role that decides how its cells are drawn.
  public func emphasis(_ emphasis: @escaping @Sendable (Row) -> Role) -> Column {
    with { $0.emphasisOf = emphasis }
  }

  /// The column, with a text on screens that replaces that of the value; if `cell` returns nil, the
  /// value's own text is shown.
  public func cell(_ cell: @escaping @Sendable (Row) -> String?) -> Column {
    with { $0.cellOf = cell }
  }

  /// The column, with a number that replaces its value for sorting and for comparisons in filters.
  public func rank(_ rank: @escaping @Sendable (Row) -> Double?) -> Column {
    with { $0.rankOf = rank }
  }

  /// The column, with a number for each row: rows with the same number must have the same text.
  public func grouped(_ group: @escaping @Sendable (Row) -> Int?) -> Column {
    with { $0.group = group }
  }

  // MARK: Asking

  /// The text of the cell on screens, with control characters escaped.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - dash: The text for a row that cannot have a value (``none(_:)``).
  /// - Returns: The text of the cell.
  public func text(of row: Row, dash: String) -> String {
    if let isNone, isNone(row) { return dash }
    return cellOf?(row) ?? value(row).text
  }

  /// The role with which the cell is drawn.
  public func role(of row: Row) -> Role { emphasisOf?(row) ?? .text }

  /// The number that rows are sorted by and filters compare; nil if the value is unknown, or is not
  /// a number.
  public func number(of row: Row) -> Double? {
    if let rankOf { return rankOf(row) }
    return value(row).number
  }

  /// Whether the cell contains a word of a filter; the word has to be in lower case.
  ///
  /// A moment, or a number such as `#8203`, matches only a word that is its whole text.
  package func contains(_ word: String, in row: Row, dash: String) -> Bool {
    // The label of an entity (a signal, subscription or timer), such as `#12`, consists of `#` and
    // digits. A word with any other character is not searched for in it, which avoids formatting a
    // hundred thousand labels.
    if kind == .entity, word.utf8.contains(where: { $0 != 0x23 && !(0x30...0x39).contains($0) }) {
      return cellOf?(row)?.lowercased().containsText(word) ?? false
    }
    if kind == .number { return word.hasPrefix("#") && cellOf?(row) == word }
    if kind == .moment {
      guard word.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return false }
      return text(of: row, dash: dash) == word
    }
    return text(of: row, dash: dash).lowercased().containsText(word)
  }

  /// Whether rows are sorted by the column's numbers rather than by its texts.
  public var isNumeric: Bool { kind.isNumeric || rankOf != nil }

  /// Whether the greatest value comes first by default.
  public var isDescendingFirst: Bool { kind.isAlignedRight || rankOf != nil }

  /// Whether a filter or a command means this column by `name`: its key, its heading, the heading's
  /// first word, or the heading's name for commands.
  ///
  /// Case is ignored. A ``ColumnHeading/name`` other than the title has to be in lower case.
  public func isCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let heading else { return id.lowercased() == name }
    let title = heading.title.lowercased()
    return title == name || id.lowercased() == name || heading.name == name
      || title.split(whereSeparator: { "@ (".contains($0) }).first.map(String.init) == name
  }
}

/// How a column is shown on a screen.
public struct ColumnHeading: Sendable, Hashable {
  /// The text above the column.
  public let title: String
  /// The name that commands use for the column.
  public let name: String
  /// The minimum width, in terminal columns.
  public let width: Int
  /// The column's share of the width that remains, relative to other columns' weights; 0 keeps the
  /// column at its minimum width.
  public let weight: Int
  /// On narrow terminals, columns with the highest numbers are dropped first; a column with 0 is
  /// never dropped.
  public let priority: Int
  /// The column is shown only on terminals with at least this width, so that it takes no room from
  /// other columns.
  public let leastColumns: Int
  /// Whether a text that does not fit is shortened in its middle rather than at its end, as places
  /// in the source are.
  public let keepsEnd: Bool
  /// Whether a text that does not fit is shortened at its beginning, as names of signals are, which
  /// end with the operator that made the signal.
  public let losesBeginning: Bool
  /// Whether rows can be sorted by the column.
  public let isSortable: Bool

  /// Creates a heading.
  ///
  /// By default, rows can be sorted by its column.
  public init(
    _ title: String,
    _ width: Int,
    name: String? = nil,
    weight: Int = 0,
    priority: Int = 0,
    leastColumns: Int = 0,
    keepsEnd: Bool = false,
    losesBeginning: Bool = false,
    isSortable: Bool = true
  ) {
    self.title = title
    self.name = name ?? title
    self.width = width
    self.weight = weight
    self.priority = priority
    self.leastColumns = leastColumns
    self.keepsEnd = keepsEnd
    self.losesBeginning = losesBeginning
    self.isSortable = isSortable
  }
}
