/// A set of kinds of records.
public struct RecordKinds: OptionSet, Hashable, Sendable {
  /// One bit for each kind, in the order of `RecordKind.allCases`.
  public let rawValue: UInt64

  /// A set of these bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one kind.
  public init(_ kind: RecordKind) {
    rawValue = 1 << UInt64(RecordKindTable.shared.places[Int(kind.rawValue)])
  }

  /// The set of these kinds.
  public init(_ kinds: some Sequence<RecordKind>) {
    rawValue = kinds.reduce(0) { $0 | RecordKinds($1).rawValue }
  }

  /// The kinds for which `isIn` returns true.
  public init(where isIn: (RecordKind) -> Bool) {
    self.init(RecordKind.allCases.filter(isIn))
  }

  /// Whether a kind is in the set.
  public func contains(_ kind: RecordKind) -> Bool {
    rawValue >> UInt64(RecordKindTable.shared.places[Int(kind.rawValue)]) & 1 != 0
  }
}

/// Properties of kinds, by raw value, in tables that are fast enough for millions of records.
///
/// `@unchecked Sendable`: made once, never changed and never freed.
struct RecordKindTable: @unchecked Sendable {
  /// The number of rows in the tables: one for each raw value below it.
  let count: Int
  /// The number of continuations; -1 for raw values that this version does not know.
  let continuations: UnsafePointer<Int8>
  /// The kind; for a short record, the kind of the record for which it stands; for raw values that
  /// this version does not know, a continuation.
  let kinds: UnsafePointer<RecordKind>
  /// The position of that kind in `RecordKind.allCases`.
  let places: UnsafePointer<UInt8>
  /// By the position in `RecordKind.allCases`: 1 if records of the kind come after all others with
  /// the same time, because one of these may have caused them; otherwise 0.
  let ranks: UnsafePointer<UInt8>
  /// Whether it is the kind of a short record.
  let areShort: UnsafePointer<Bool>

  static let shared = RecordKindTable()

  private init() {
    let known = RecordSpec.continuationTable
    count = known.count
    let continuations = UnsafeMutablePointer<Int8>.allocate(capacity: count)
    let kinds = UnsafeMutablePointer<RecordKind>.allocate(capacity: count)
    let places = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    let areShort = UnsafeMutablePointer<Bool>.allocate(capacity: count)
    let ranks = UnsafeMutablePointer<UInt8>.allocate(capacity: RecordKind.allCases.count)
    for raw in 0..<count {
      continuations[raw] = known[raw]
      kinds.advanced(by: raw).initialize(to: .continuation)
      places[raw] = 0
      areShort[raw] = false
    }
    for (place, kind) in RecordKind.allCases.enumerated() {
      kinds[Int(kind.rawValue)] = kind
      places[Int(kind.rawValue)] = UInt8(place)
      ranks[place] = kind == .hopBegan || kind == .hopCancelled ? 1 : 0
    }
    for kind in ShortRecordKind.allCases {
      kinds[Int(kind.rawValue)] = kind.longForm
      places[Int(kind.rawValue)] = places[Int(kind.longForm.rawValue)]
      areShort[Int(kind.rawValue)] = true
    }
    self.continuations = UnsafePointer(continuations)
    self.kinds = UnsafePointer(kinds)
    self.places = UnsafePointer(places)
    self.ranks = UnsafePointer(ranks)
    self.areShort = UnsafePointer(areShort)
  }
}
