import TracePlatform

/// The arguments of operators: each is stored once, however many signals have it.
///
/// So the argument of a signal takes only 16 bits, which fit into unused bits of the signal's
/// record and of its slot (its entry in the table of live entities).
struct ArgumentTable: Sendable {
  let region: MappedRegion
  private let strings: StringTable
  private let index: InternIndex

  init(region: MappedRegion, strings: StringTable) throws(TraceError) {
    self.region = region
    self.strings = strings
    index = try InternIndex(capacity: region.capacity)
    // Row 0 represents "unknown".
    region.used = 1
    // Arguments that have no value are added first, so that they have fixed numbers.
    for kind in Self.first { _ = intern(kind, 0) }
  }

  private static let first: [ArgumentKind] = [.none, .closure, .list]

  /// The number of an argument that is not a text, if it was stored before; 0 otherwise.
  ///
  /// Needs no lock.
  @inline(__always)
  func find(_ kind: ArgumentKind, _ value: UInt64) -> UInt32 { find(kind, 0, value) }

  /// The number of an argument that is not a text; 0, counted as lost, if there is no room.
  ///
  /// Requires the table lock.
  func intern(_ kind: ArgumentKind, _ value: UInt64) -> UInt32 { intern(kind, 0, value) }

  /// The number of an argument that is a text.
  ///
  /// Requires the table lock.
  func intern(_ kind: ArgumentKind, _ text: String) -> UInt32 {
    let text = strings.intern(text, limit: Layout.Argument.textLimit)
    return text == 0 ? 0 : intern(kind, text, 0)
  }

  @inline(__always)
  private func find(_ kind: ArgumentKind, _ text: UInt32, _ value: UInt64) -> UInt32 {
    index.find(Self.hash(kind, text, value)) { number in
      let row = region.entry(Int(number))
      return Layout.Argument.kind.relaxed(at: row) == kind.rawValue
        && Layout.Argument.text.relaxed(at: row) == text
        && Layout.Argument.value.relaxed(at: row) == value
    }
  }

  private func intern(_ kind: ArgumentKind, _ text: UInt32, _ value: UInt64) -> UInt32 {
    let known = find(kind, text, value)
    if known != 0 { return known }
    guard let number = region.newRow() else { return 0 }
    let row = region.entry(number)
    Layout.Argument.kind.setRelaxed(kind.rawValue, at: row)
    Layout.Argument.text.setRelaxed(text, at: row)
    Layout.Argument.value.setRelaxed(value, at: row)
    region.used = number + 1
    index.insert(Self.hash(kind, text, value), UInt32(number))
    return UInt32(number)
  }

  @inline(__always)
  private static func hash(_ kind: ArgumentKind, _ text: UInt32, _ value: UInt64) -> UInt64 {
    InternIndex.mix(InternIndex.mix(1, Packing.pair(high: text, low: kind.rawValue)), value)
  }
}

extension Recorder {
  /// The number of the argument of an operator; 0 if it is unknown or there is no room.
  @inline(__always)
  func number(of argument: SignalArgument) -> UInt32 {
    switch argument {
    case .unknown: 0
    case .none: 1
    case .closure: 2
    case .list: 3
    case .integer(let number): self.number(.integer, UInt64(bitPattern: Int64(number)))
    case .duration(let nanoseconds): number(.duration, UInt64(bitPattern: nanoseconds))
    case .scheduler(let row): number(.scheduler, UInt64(row))
    case .text(let text): tables.withLock { arguments.intern(.text, text) }
    case .part(let part): tables.withLock { arguments.intern(.part, part) }
    }
  }

  @inline(__always)
  private func number(_ kind: ArgumentKind, _ value: UInt64) -> UInt32 {
    let known = arguments.find(kind, value)
    return known != 0 ? known : tables.withLock { arguments.intern(kind, value) }
  }
}
