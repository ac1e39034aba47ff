/// One row of the table of records: what a reader needs to know to print a record of one kind.
public struct RecordSpec: Sendable {
  /// The kind it describes; for a short record, the kind of the longer one for which it stands.
  public let kind: RecordKind
  /// The number of the kind in the file.
  public let number: UInt16
  /// The name in the text form and on the screens of rxtop.
  public let name: String
  /// The meaning of the low 32 bits of the body.
  public let identifier: (name: String, type: ArgumentType)
  /// The meaning of the high 32 bits of the body.
  public let argument: (name: String, type: ArgumentType)
  /// The values of its continuations, which are further records with more of its contents.
  ///
  /// Each continuation has two values: 48 bits in the head, then 64 in the body.
  public let more: [(name: String, type: ArgumentType)]
  /// The kind of the record that begins what this one ends; nil if it ends nothing.
  public let begins: RecordKind?
  /// Whether further continuations, each of which stands for one more record, may follow those of
  /// ``more``.
  public let isBatch: Bool
  /// Whether it is recorded only at level `events` and above.
  public let isEvent: Bool
  /// The meaning of the record, for the table in `TraceFormat.md`.
  public let meaning: String

  init(
    _ kind: RecordKind,
    _ name: String,
    _ identifier: (name: String, type: ArgumentType),
    _ argument: (name: String, type: ArgumentType),
    more: [(name: String, type: ArgumentType)] = [],
    begins: RecordKind? = nil,
    short: ShortRecordKind? = nil,
    isBatch: Bool = false,
    isEvent: Bool = false,
    _ meaning: String
  ) {
    self.kind = kind
    number = short?.rawValue ?? kind.rawValue
    self.name = name
    self.identifier = identifier
    self.argument = argument
    self.more = more
    self.begins = begins
    self.isBatch = isBatch
    self.isEvent = isEvent
    self.meaning = meaning
  }

  /// The number of continuations that follow the record; for a batch, the smallest possible number.
  public var continuations: Int { more.count / 2 }

  /// The number of continuations, by the raw value of the kind; -1 for kinds that this version does
  /// not know.
  ///
  /// The table is meant for loops over millions of records.
  package static let continuationTable: [Int8] = byNumber.map { row in
    row.map { Int8($0.continuations) } ?? -1
  }

  /// Whether it describes a short record.
  public var isShort: Bool { number != kind.rawValue }

  /// The row of `kind`.
  public static func of(_ kind: RecordKind) -> RecordSpec { byNumber[Int(kind.rawValue)] ?? all[0] }

  /// The row of the kind with this number in the file; nil if this version does not know it.
  public static func of(number: UInt16) -> RecordSpec? {
    Int(number) < byNumber.count ? byNumber[Int(number)] : nil
  }

  private static let byNumber: [RecordSpec?] = {
    var rows = [RecordSpec?](
      repeating: nil,
      count: 1 + all.reduce(0) { max($0, Int($1.number)) }
    )
    for row in all { rows[Int(row.number)] = row }
    return rows
  }()

  /// Every kind once, short records included, in the order of their numbers.
  public static let all: [RecordSpec] =
    (RecordKind.allCases.map(row) + ShortRecordKind.allCases.map(row))
    .sorted { $0.number < $1.number }
}
