/// The records of a trace in a single order.
///
/// The order is by ticks; at equal ticks, records of the kinds `hopBegan` and `hopCancelled` come
/// after all others, so that they follow the record with which the work was scheduled; then by
/// position.
///
/// The collection takes little memory, whatever its size: it stores where each record is, and
/// decodes records when they are accessed, up to 4096 at a time. In a ring, new records overwrite
/// the oldest. Therefore records of a ring that is being written are copied, and so are those of a
/// small finished ring; others stay in the file. If the file loses them, empty continuations take
/// their place (``hasLostRecords``).
///
/// A pass in order costs about ten nanoseconds per record; a random access costs as much as a pass
/// over a few thousand records. If only some kinds are wanted, ``forEach(of:in:_:)`` and similar
/// methods skip thousands of other records at once. Mutating the collection decodes everything
/// first, and is meant for tests.
public struct TraceRecords: Sendable {
  /// The records, if they were not read from a file.
  private var list: [TraceRecord] = []
  private(set) var index: RecordIndex?

  /// Creates a collection without records.
  public init() {}

  init(_ index: RecordIndex) { self.index = index }

  /// Moves the index out, so that it can be changed in place.
  mutating func takeIndex(of file: TraceFile) -> RecordIndex {
    defer { self = TraceRecords() }
    return index ?? RecordIndex(file)
  }

  /// Whether a read has found that the file no longer contains all records.
  public var hasLostRecords: Bool { index?.pages.hasLostRecords ?? false }
}

// MARK: A collection

extension TraceRecords: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many records there are.
  public var endIndex: Int { index?.count ?? list.count }

  /// The record in a row; setting one decodes everything first.
  ///
  /// O(log n), plus decoding up to 4096 records unless one near it was accessed recently.
  public subscript(row: Int) -> TraceRecord {
    get {
      guard let index else { return list[row] }
      precondition(row >= 0 && row < index.count, "there is no record in row \(row)")
      return index.record(at: row)
    }
    set {
      decodeAll()
      list[row] = newValue
    }
  }

  /// Records in their order.
  public struct Iterator: IteratorProtocol {
    private let index: RecordIndex?
    private var buffer: [TraceRecord]
    private var place = 0
    private var end: Int
    private var block = 0

    init(_ list: [TraceRecord], _ index: RecordIndex?) {
      buffer = list
      self.index = index
      end = list.count
    }

    /// The next record; nil after the last one.
    public mutating func next() -> TraceRecord? {
      if place == end { fill() }
      guard place < end else { return nil }
      defer { place += 1 }
      return buffer[place]
    }

    private mutating func fill() {
      guard let index, block < index.blocks.count else { return }
      index.pages.read(index.blocks[block], index.stored, into: &buffer)
      place = block == 0 ? index.hidden : 0
      end = index.blocks[block].count
      block += 1
    }
  }

  /// Iterates over all records from the first on.
  public func makeIterator() -> Iterator { Iterator(list, index) }
}

// MARK: Kinds

extension TraceRecords {
  /// Calls `body` with the records of some kinds and their rows, in order.
  ///
  /// - Complexity: O(n) for n records in the blocks that contain any of these kinds.
  public func forEach(
    of kinds: RecordKinds,
    in rows: Range<Int>? = nil,
    _ body: (_ row: Int, _ record: TraceRecord) throws -> Void
  ) rethrows {
    let rows = (rows ?? 0..<count).clamped(to: 0..<count)
    guard let index else {
      for row in rows where kinds.contains(list[row].kind) { try body(row, list[row]) }
      return
    }
    guard !rows.isEmpty else { return }
    var buffer: [TraceRecord] = []
    for block in index.block(ofRow: rows.lowerBound)..<index.blocks.count {
      let all = index.rows(ofBlock: block)
      guard all.lowerBound < rows.upperBound else { return }
      guard !index.blocks[block].kinds.isDisjoint(with: kinds) else { continue }
      index.pages.read(index.blocks[block], index.stored, into: &buffer)
      let first = index.blocks[block].firstRow - index.base
      for row in all.clamped(to: rows) where kinds.contains(buffer[row - first].kind) {
        try body(row, buffer[row - first])
      }
    }
  }

  /// The first row from `row` on with a record of some kinds for which `isWanted` returns true.
  ///
  /// - Complexity: The same as that of ``forEach(of:in:_:)``, up to the found row.
  public func firstRow(
    of kinds: RecordKinds,
    from row: Int = 0,
    where isWanted: (TraceRecord) -> Bool = { _ in true }
  ) -> Int? {
    for block in blocks(of: kinds, in: Swift.max(0, row)..<Swift.max(0, row, count)) {
      for row in block {
        let record = self[row]
        if kinds.contains(record.kind), isWanted(record) { return row }
      }
    }
    return nil
  }

  /// The last row before `row` with a record of some kinds for which `isWanted` returns true.
  ///
  /// - Complexity: The same as that of ``forEach(of:in:_:)``, down to the found row.
  public func lastRow(
    of kinds: RecordKinds,
    before row: Int? = nil,
    where isWanted: (TraceRecord) -> Bool = { _ in true }
  ) -> Int? {
    for block in blocks(of: kinds, in: 0..<Swift.max(0, Swift.min(row ?? count, count))).reversed()
    {
      for row in block.reversed() {
        let record = self[row]
        if kinds.contains(record.kind), isWanted(record) { return row }
      }
    }
    return nil
  }

  /// The ranges of rows that may contain records of some kinds.
  private func blocks(of kinds: RecordKinds, in rows: Range<Int>) -> some BidirectionalCollection<
    Range<Int>
  > {
    let rows = rows.clamped(to: 0..<count)
    let numbers: Range<Int>
    if let index, !rows.isEmpty {
      numbers = index.block(ofRow: rows.lowerBound)..<(index.block(ofRow: rows.upperBound - 1) + 1)
    } else {
      numbers = 0..<(rows.isEmpty ? 0 : 1)
    }
    return numbers.lazy
      .filter { index?.blocks[$0].kinds.isDisjoint(with: kinds) != true }
      .map { index?.rows(ofBlock: $0).clamped(to: rows) ?? rows }
  }

  /// Up to 4096 rows that are decoded together, so that results about them can be cached.
  package struct Stretch: Sendable {
    /// Identifies these records of this file, also after more were added; nil if the records were
    /// not read from a file.
    package let id: UInt64?
    /// The row of its first record; negative if that has been dropped.
    package let first: Int
    /// Its rows that have not been dropped.
    package let rows: Range<Int>
  }

  /// All rows, in stretches.
  ///
  /// O(n / 4096).
  package var stretches: [Stretch] {
    guard let index else {
      return stride(from: 0, to: list.count, by: RecordBlock.capacity).map { first in
        let end = Swift.min(first + RecordBlock.capacity, list.count)
        return Stretch(id: nil, first: first, rows: first..<end)
      }
    }
    return index.blocks.indices.map { block in
      let first = index.blocks[block].firstRow - index.base
      return Stretch(id: index.blocks[block].id, first: first, rows: index.rows(ofBlock: block))
    }
  }

  /// The kinds of the records.
  ///
  /// O(n / 4096).
  public var kinds: RecordKinds {
    guard let index else { return RecordKinds(list.map(\.kind)) }
    return index.blocks.reduce(into: []) { $0.formUnion($1.kinds) }
  }
}

// MARK: Places

extension TraceRecords {
  /// The number of records that are not later than `ticks`.
  ///
  /// O(log n).
  public func count(upTo ticks: UInt64) -> Int { partition { $0 <= ticks } }

  /// The number of records that are earlier than `ticks`.
  ///
  /// O(log n).
  public func count(before ticks: UInt64) -> Int { partition { $0 < ticks } }

  private func partition(_ isBefore: (UInt64) -> Bool) -> Int {
    guard let index else { return list.prefixCount { isBefore($0.ticks) } }
    let block = index.blocks.prefixCount { isBefore($0.lastTicks) }
    guard block < index.blocks.count else { return count }
    let records = index.pages.records(of: index.blocks[block], index.stored)
    let place = records.prefixCount { isBefore($0.ticks) }
    return Swift.max(0, index.blocks[block].firstRow + place - index.base)
  }

  /// The row of the record with a number; nil if there is none.
  ///
  /// O(n / 4096), plus decoding up to 4096 records for each block with records of its segment.
  public func row(ofNumber number: UInt64) -> Int? {
    guard let index else { return list.firstIndex { $0.number == number } }
    let (epoch, slot) = Packing.position(ofRecord: number)
    for block in index.blocks.indices where index.mayHold(epoch, slot, block) {
      let records = index.pages.records(of: index.blocks[block], index.stored)
      guard let place = records.firstIndex(where: { $0.number == number }) else { continue }
      let row = index.blocks[block].firstRow + place - index.base
      return row >= 0 ? row : nil
    }
    return nil
  }

  /// The first row whose record belongs to `generation` or a later one; nil if there is none.
  ///
  /// O(n / 4096).
  public func firstRow(fromGeneration generation: UInt64) -> Int? {
    guard let index else { return list.firstIndex { $0.generation >= generation } }
    for block in index.blocks.indices where index.blocks[block].highGeneration >= generation {
      let row = index.rows(ofBlock: block).first { self[$0].generation >= generation }
      if let row { return row }
    }
    return nil
  }

  /// The last row whose record belongs to a generation before `generation`; nil if there is none.
  ///
  /// O(n / 4096).
  public func lastRow(beforeGeneration generation: UInt64) -> Int? {
    guard let index else { return list.lastIndex { $0.generation < generation } }
    for block in index.blocks.indices.reversed()
    where index.blocks[block].lowGeneration < generation {
      let row = index.rows(ofBlock: block).last { self[$0].generation < generation }
      if let row { return row }
    }
    return nil
  }
}

extension RecordIndex {
  /// Whether a block may contain the record in a slot of a segment.
  fileprivate func mayHold(_ epoch: UInt64, _ slot: Int, _ block: Int) -> Bool {
    blocks[block].parts.contains { part in
      let segment = stored[Int(part.stored)]
      guard segment.epoch == epoch else { return false }
      guard segment.isSorted else { return true }
      let slot = slot - segment.firstSlot
      return slot >= Int(part.start) && slot < Int(part.end)
    }
  }
}

// MARK: Mutation

extension TraceRecords: RangeReplaceableCollection, MutableCollection, ExpressibleByArrayLiteral {
  /// Creates a collection of these records, which must be in order already.
  public init(_ records: some Sequence<TraceRecord>) { list = Array(records) }

  /// Creates a collection of these records, which must be in order already.
  public init(arrayLiteral records: TraceRecord...) { list = records }

  /// Decodes everything and replaces a range of it.
  public mutating func replaceSubrange(
    _ rows: Range<Int>,
    with records: some Collection<TraceRecord>
  ) {
    decodeAll()
    list.replaceSubrange(rows, with: records)
  }

  /// Decodes everything and adds a record.
  public mutating func append(_ record: TraceRecord) {
    decodeAll()
    list.append(record)
  }

  private mutating func decodeAll() {
    guard index != nil else { return }
    list = Array(self)
    index = nil
  }
}
