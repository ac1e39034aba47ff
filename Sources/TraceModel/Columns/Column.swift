/// One column of a table, declared once.
///
/// Tables on screens, sorting, filters, the help, JSON, CSV and `Documentation/JSON.md` follow from it. The columns of a table
/// stand in one list, as ``SiteRow/columns``, in the order of screens and exports.
public struct Column<Row>: Sendable {
  /// Its key in JSON and its heading in CSV.
  public let id: String
  /// What it means, for the help and the document; begins in lower case and has no full stop.
  public let help: String
  /// What its values are.
  public let kind: ColumnKind
  /// How it stands on the screen; nil where only exports have it.
  public private(set) var heading: ColumnHeading?
  /// What it says of a row.
  public let value: @Sendable (Row) -> ColumnValue
  /// Whether only screens have it, for it is made of other columns.
  public private(set) var isOnScreenOnly = false
  /// Whether every row has a value.
  public private(set) var isNeverNull = false
  /// Whether words of a filter are not looked for in it: it is compared by its name only.
  public private(set) var isComparedOnly = false

  private var isNone: (@Sendable (Row) -> Bool)?
  private var emphasisOf: (@Sendable (Row) -> Role)?
  private var cellOf: (@Sendable (Row) -> String?)?
  private var rankOf: (@Sendable (Row) -> Double?)?
  /// A number that rows with the same text share, so that many rows need few texts; nil for a text of the row's own.
  public private(set) var group: (@Sendable (Row) -> Int?)?

  /// A column of values that a typed function, as ``text(_:_:_:_:)``, puts in.
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

  /// A text, unfiltered.
  public static func text(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> String?
  ) -> Column { Column(id, help, .text, heading) { .text(value($0)) } }

  /// How many there are.
  public static func count(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> (some BinaryInteger & SendableMetatype)?
  ) -> Column {
    Column(id, help, .count, heading) { .count(value($0).map { UInt64(clamping: $0) }) }
  }

  /// How many more or fewer.
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

  /// A moment since the recording began.
  public static func moment(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Duration?
  ) -> Column { Column(id, help, .moment, heading) { .moment(value($0)) } }

  /// Something per second.
  public static func rate(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(id, help, .rate, heading) { .rate(value($0)) } }

  /// A part of a whole: 1 is all of it.
  public static func share(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(id, help, .share, heading) { .share(value($0)) } }

  /// A number that names a row.
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

  /// Several of them.
  public static func entities(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading? = nil,
    _ value: @escaping @Sendable (Row) -> [EntityKey]
  ) -> Column { Column(id, help, .entities, heading) { .entities(value($0)) }.neverNull }

  /// A truth.
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

  /// A count for each of some names.
  public static func counts(
    _ id: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> [(name: String, count: UInt64?)]
  ) -> Column { Column(id, help, .counts, nil) { .counts(value($0)) }.neverNull }

  /// Figures at equal distances in time, which screens draw as signs of different height; nil where there are none.
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

  /// The column, of which every row has a value.
  public var neverNull: Column { with { $0.isNeverNull = true } }

  /// The column, in which the words of a filter are not looked for, because they stand in others.
  public var comparedOnly: Column { with { $0.isComparedOnly = true } }

  /// The column, left out by exports.
  public var onScreenOnly: Column { with { $0.isOnScreenOnly = true } }

  /// The column, left out by screens.
  public var exportedOnly: Column { with { $0.heading = nil } }

  /// The column, with a dash on screens where there is none; what is missing elsewhere is unknown.
  public func none(_ isNone: @escaping @Sendable (Row) -> Bool) -> Column {
    with { $0.isNone = isNone }
  }

  /// The column, with the look of its cells.
  public func emphasis(_ emphasis: @escaping @Sendable (Row) -> Role) -> Column {
    with { $0.emphasisOf = emphasis }
  }

  /// The column, with other words on screens than those of the value; nil for those.
  public func cell(_ cell: @escaping @Sendable (Row) -> String?) -> Column {
    with { $0.cellOf = cell }
  }

  /// The column, with another order than that of the value.
  public func rank(_ rank: @escaping @Sendable (Row) -> Double?) -> Column {
    with { $0.rankOf = rank }
  }

  /// The column, with a number that rows with the same text share.
  public func grouped(_ group: @escaping @Sendable (Row) -> Int?) -> Column {
    with { $0.group = group }
  }

  // MARK: Asking

  /// What stands on the screen, fit to be shown.
  ///
  /// - Parameters:
  ///   - row: Of which row.
  ///   - dash: What stands for none.
  /// - Returns: Its text.
  public func text(of row: Row, dash: String) -> String {
    if let isNone, isNone(row) { return dash }
    return cellOf?(row) ?? value(row).text
  }

  /// How the cell looks.
  public func role(of row: Row) -> Role { emphasisOf?(row) ?? .text }

  /// What a row is ordered by, and what filters compare; nil for texts, and where it is unknown.
  public func number(of row: Row) -> Double? {
    if let rankOf { return rankOf(row) }
    return value(row).number
  }

  /// Whether the cell holds a word of a filter, which is in lower case.
  package func contains(_ word: String, in row: Row, dash: String) -> Bool {
    // Of a hundred thousand serials, none need be written out for a name.
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

  /// Whether it is ordered by numbers.
  public var isNumeric: Bool { kind.isNumeric || rankOf != nil }

  /// Whether the greatest comes first unless told otherwise.
  public var isDescendingFirst: Bool { kind.isAlignedRight || rankOf != nil }

  /// Whether a filter or a command means it: by its key, its heading, or the first word of that, without case.
  public func isCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let heading else { return id.lowercased() == name }
    let title = heading.title.lowercased()
    return title == name || id.lowercased() == name || heading.name == name
      || title.split(whereSeparator: { "@ (".contains($0) }).first.map(String.init) == name
  }
}

/// How a column stands on a screen.
public struct ColumnHeading: Sendable, Hashable {
  /// What stands above it.
  public let title: String
  /// What commands call it.
  public let name: String
  /// Columns of the terminal that it needs; it never gets fewer.
  public let width: Int
  /// Its share of what is left over; 0 keeps it at its width.
  public let weight: Int
  /// Columns with high numbers are dropped first on narrow terminals; 0 never is.
  public let priority: Int
  /// Columns that the terminal needs before it is shown at all, so that it takes no room from others.
  public let leastColumns: Int
  /// Whether a text that does not fit loses its middle rather than its end: for places in the source.
  public let keepsEnd: Bool
  /// Whether a text that does not fit loses its beginning: for names of signals, which end in the latest operator.
  public let losesBeginning: Bool
  /// Whether rows can be sorted by it.
  public let isSortable: Bool

  /// A heading of a column that can be sorted by, unless told otherwise.
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
