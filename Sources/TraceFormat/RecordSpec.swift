/// One row of the table of records: what a reader needs to know to print a record of one kind.
public struct RecordSpec: Sendable {
  /// The kind it describes.
  public let kind: RecordKind
  /// The name in the text form and on the screens of rxtop.
  public let name: String
  /// The meaning of the low 32 bits of the body.
  public let identifier: (name: String, type: ArgumentType)
  /// The meaning of the high 32 bits of the body.
  public let argument: (name: String, type: ArgumentType)
  /// The values of its continuations, two each: 48 bits from the head, then 64 from the body.
  public let more: [(name: String, type: ArgumentType)]
  /// The kind of the record that begins what this one ends; nil if it ends nothing.
  public let begins: RecordKind?
  /// Whether it is recorded only at level `events` and above.
  public let isEvent: Bool
  /// One sentence for the table in the document.
  public let meaning: String

  init(
    _ kind: RecordKind,
    _ name: String,
    _ identifier: (name: String, type: ArgumentType),
    _ argument: (name: String, type: ArgumentType),
    more: [(name: String, type: ArgumentType)] = [],
    begins: RecordKind? = nil,
    isEvent: Bool = false,
    _ meaning: String
  ) {
    self.kind = kind
    self.name = name
    self.identifier = identifier
    self.argument = argument
    self.more = more
    self.begins = begins
    self.isEvent = isEvent
    self.meaning = meaning
  }

  /// The number of continuations that follow the record.
  public var continuations: Int { more.count / 2 }

  /// The number of continuations, by the raw value of the kind; -1 for kinds that this version does
  /// not know.
  ///
  /// For loops over millions of records.
  package static let continuationTable: [Int8] = byKind.map { row in
    row.map { Int8($0.continuations) } ?? -1
  }

  /// The row of `kind`.
  public static func of(_ kind: RecordKind) -> RecordSpec { byKind[Int(kind.rawValue)] ?? all[0] }

  private static let byKind: [RecordSpec?] = {
    var rows = [RecordSpec?](
      repeating: nil,
      count: 1 + all.reduce(0) { max($0, Int($1.kind.rawValue)) }
    )
    for row in all { rows[Int(row.kind.rawValue)] = row }
    return rows
  }()

  /// Every kind once, in the order of their numbers.
  public static let all: [RecordSpec] = RecordKind.allCases.map(row)
}
