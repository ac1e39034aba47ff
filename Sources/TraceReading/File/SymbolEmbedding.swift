import Glibc
import TracePlatform

/// Adds the names of functions to a finished recording (TraceFormat §8).
public enum SymbolEmbedding {
  /// Writes a copy of a recording in which `symbols` replace any symbols that it already has.
  ///
  /// The copy is created atomically, with the permissions of the original. Space that the recorder
  /// reserved and never used is left out. But if something is wrong with the trace, or a later
  /// version of the recorder wrote it, the whole file is copied as it is, except that long runs of
  /// zeros become holes in the file.
  ///
  /// - Parameters:
  ///   - symbols: The symbols, in any order. But if several have the same address, because of
  ///     inlining, they must go from the innermost function outwards.
  ///   - reader: The recording. No process may be recording into it. If the copy replaces it, there
  ///     must also be no process that could resume recording.
  ///   - path: The file to create or replace; it may be the recording itself.
  /// - Throws: ``/TraceFormat/TraceError`` if the trace cannot be read, or the copy cannot be
  ///   written.
  public static func write(
    _ symbols: [TraceSymbol],
    of reader: TraceReader,
    to path: String
  ) throws(TraceError) {
    let snapshot = try reader.snapshot()
    let file = try NewFile(beside: path)
    do throws(TraceError) {
      if let copy = CompactCopy(of: reader, snapshot) {
        try copy.write(symbols, to: file)
      } else {
        let end = try copy(reader.file, to: file)
        try append(symbols, snapshot, behind: end, of: reader, to: file)
      }
      try file.finish(permissions: reader.file.permissions)
    } catch {
      file.abandon()
      throw error
    }
  }

  private static var pieceSize: Int { 1 << 16 }

  /// Copies the whole file and returns its length.
  private static func copy(_ file: TraceFile, to copy: NewFile) throws(TraceError) -> Int {
    let count = file.byteCount
    var place = 0
    while place < count {
      let piece = file.bytes(at: place, count: min(pieceSize, count - place))
      guard !piece.isEmpty else { break }
      if piece.contains(where: { $0 != 0 }) { try copy.write(piece, at: place) }
      place += piece.count
    }
    try copy.setLength(place)
    return place
  }

  private static func append(
    _ symbols: [TraceSymbol],
    _ snapshot: TraceSnapshot,
    behind end: Int,
    of reader: TraceReader,
    to file: NewFile
  ) throws(TraceError) {
    let tables = TableReader(file: reader.file, header: snapshot.header)
    var strings = StringHeapCopy(
      tables.heap(.strings).prefix(snapshot.decodedStringBytes),
      snapshot.strings
    )
    let rows = rows(symbols, &strings)
    let heapStart = (end + 4095) / 4096 * 4096
    let rowStart = (heapStart + strings.bytes.count + 4095) / 4096 * 4096
    try file.write(strings.bytes, at: heapStart)
    try file.write(rows, at: rowStart)

    let lost = Layout.Region.lost
    func region(_ kind: RegionKind, at offset: Int, _ size: Int, entry: Int) throws(TraceError) {
      let place = Layout.FileHeader.regions + kind.rawValue * Layout.Region.byteCount
      var row = reader.file.bytes(at: place, count: Layout.Region.byteCount)
      guard row.count == Layout.Region.byteCount else { return }
      row.withUnsafeMutableBytes { row in
        guard let row = row.baseAddress else { return }
        let kept = lost.load(from: row)
        Layout.Region.offset.store(UInt64(offset), to: row)
        Layout.Region.size.store(UInt64(size), to: row)
        Layout.Region.entrySize.store(UInt32(entry), to: row)
        Layout.Region.capacity.store(UInt32(clamping: size / entry), to: row)
        Layout.Region.used.store(UInt64(size / entry), to: row)
        lost.store(kept, to: row)
      }
      try file.write(row, at: place)
    }
    try region(.strings, at: heapStart, strings.bytes.count, entry: 1)
    if rows.isEmpty { return }
    try region(.symbols, at: rowStart, rows.count, entry: Layout.Symbol.byteCount)
    let minor = max(snapshot.header.minorVersion, 1)
    try file.write(
      withUnsafeBytes(of: minor.littleEndian) { Array($0) },
      at: Layout.FileHeader.minorVersion.offset
    )
  }

  /// The rows of the symbols; the names in them are added to `strings`.
  fileprivate static func rows(_ symbols: [TraceSymbol], _ strings: inout StringHeapCopy) -> [UInt8]
  {
    // A stable order: functions of one address stay in the order in which they were given.
    let sorted = symbols.enumerated().sorted {
      ($0.element.address, $0.offset) < ($1.element.address, $1.offset)
    }
    var bytes = [UInt8](repeating: 0, count: sorted.count * Layout.Symbol.byteCount)
    for (index, (_, symbol)) in sorted.enumerated() {
      let numbers = [symbol.function, symbol.file, symbol.note].map { strings.number(of: $0) }
      bytes.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        let row = base + index * Layout.Symbol.byteCount
        Layout.Symbol.address.store(symbol.address, to: row)
        Layout.Symbol.function.store(numbers[0], to: row)
        Layout.Symbol.file.store(numbers[1], to: row)
        Layout.Symbol.line.store(symbol.line, to: row)
        Layout.Symbol.isInlined.store(symbol.isInlined ? 1 : 0, to: row)
        Layout.Symbol.note.store(numbers[2], to: row)
      }
    }
    return bytes
  }
}

/// A copy of a recording in which the regions directly follow each other, and each is only as long
/// as its contents.
private struct CompactCopy {
  private let reader: TraceReader
  private let snapshot: TraceSnapshot
  private let tables: TableReader
  private let header: [UInt8]

  /// Returns nil if a later version wrote the trace, or if something is wrong with it, because the
  /// copy must not hide that.
  init?(of reader: TraceReader, _ snapshot: TraceSnapshot) {
    self.reader = reader
    self.snapshot = snapshot
    tables = TableReader(file: reader.file, header: snapshot.header)
    header = reader.file.bytes(at: 0, count: Layout.FileHeader.byteCount)
    guard snapshot.problems.isEmpty, !snapshot.header.hasLaterKinds,
      header.count == Layout.FileHeader.byteCount
    else { return nil }
  }

  func write(_ symbols: [TraceSymbol], to file: NewFile) throws(TraceError) {
    var layout = CompactLayout()
    var header = header
    var strings = StringHeapCopy(
      tables.heap(.strings).prefix(snapshot.decodedStringBytes),
      snapshot.strings
    )
    let symbols = SymbolEmbedding.rows(symbols, &strings)
    let (ring, tail) = try segments()
    try write(ring, .segments, to: file, &layout)
    for kind in [RegionKind.slab, .upstreams, .arguments, .chains, .marks, .sites] {
      try copy(kind, to: file, &layout)
    }
    try copyCounts(to: file, &layout)
    for kind in [RegionKind.schedulers, .threads, .images, .stacks] {
      try copy(kind, to: file, &layout)
    }
    try file.write(strings.bytes, at: layout.place(.strings, strings.bytes.count, entrySize: 1))
    if !symbols.isEmpty {
      let size = Layout.Symbol.byteCount
      try file.write(symbols, at: layout.place(.symbols, symbols.count / size, entrySize: size))
      header.withUnsafeMutableBytes { header in
        guard let header = header.baseAddress else { return }
        let minor = Layout.FileHeader.minorVersion
        minor.store(max(minor.load(from: header), 1), to: header)
      }
    }
    if snapshot.header.regions[.tail] != nil { try write(tail, .tail, to: file, &layout) }
    try file.setLength(layout.byteCount)
    layout.write(into: &header)
    try file.write(header, at: 0)
  }

  // MARK: Segments

  /// The segments to copy from the ring, and those to copy from the tail (to which a stream appends
  /// segments), both in file order.
  private func segments() throws(TraceError) -> (ring: [TraceSegment], tail: [TraceSegment]) {
    let all = snapshot.segments
    let tail = all.filter(\.isInTail).sorted { $0.index < $1.index }
    return (all.filter { !$0.isInTail }.sorted { $0.index < $1.index }, tail)
  }

  private func write(
    _ segments: [TraceSegment],
    _ kind: RegionKind,
    to file: NewFile,
    _ layout: inout CompactLayout
  ) throws(TraceError) {
    let size = Layout.Segment.size
    let start = layout.place(kind, segments.count, entrySize: size)
    guard let region = snapshot.header.regions[kind] else { return }
    for (number, segment) in segments.enumerated() {
      let bytes = reader.file.bytes(
        at: region.offset(ofRow: segment.index),
        count: Int(segment.committed)
      )
      try file.write(bytes, at: start + number * size)
    }
  }

  // MARK: Tables

  private func copy(
    _ kind: RegionKind,
    to file: NewFile,
    _ layout: inout CompactLayout
  ) throws(TraceError) {
    guard let region = snapshot.header.regions[kind] else { return }
    let entrySize = Int(region.entrySize)
    let start = region.offset(ofRow: 0)
    let pieceCount = max(1, (1 << 16) / entrySize)
    // The rows of upstreams are reused, so `used` does not show how many there are. They are copied
    // up to the last one that is not all zeros.
    var last = kind == .upstreams ? 0 : region.readable
    var pieces: [(row: Int, bytes: [UInt8])] = []
    for row in stride(from: 0, to: region.readable, by: pieceCount) {
      let count = min(pieceCount, region.readable - row)
      let bytes = reader.file.bytes(at: start + row * entrySize, count: count * entrySize)
      guard let end = bytes.lastIndex(where: { $0 != 0 }) else { continue }
      last = max(last, row + end / entrySize + 1)
      pieces.append((row, bytes))
    }
    let place = layout.place(kind, last, entrySize: entrySize)
    for (row, bytes) in pieces {
      try file.write(bytes.prefix((last - row) * entrySize), at: place + row * entrySize)
    }
  }

  /// Writes, for each mark, the live count of every site.
  ///
  /// In the original, a mark has a row for each site that the table of sites has room for; in the
  /// copy, only for each site that was copied.
  private func copyCounts(to file: NewFile, _ layout: inout CompactLayout) throws(TraceError) {
    guard let region = snapshot.header.regions[.markCounts] else { return }
    let marks = layout.count(.marks)
    let sites = layout.count(.sites)
    let before = Int(snapshot.header.regions[.sites]?.capacity ?? 0)
    let entrySize = Int(region.entrySize)
    let start = layout.place(.markCounts, marks * sites, entrySize: entrySize)
    for mark in 0..<marks where mark * before < region.readable {
      let count = min(sites, before, region.readable - mark * before)
      let bytes = reader.file.bytes(
        at: region.offset(ofRow: mark * before),
        count: count * entrySize
      )
      try file.write(bytes, at: start + mark * sites * entrySize)
    }
  }
}

/// A heap of strings to which more can be added.
private struct StringHeapCopy {
  private(set) var bytes: [UInt8]
  private var numbers: [String: UInt32]

  /// Creates a copy of the part of a heap that could be read; `strings` are the strings in it.
  init(_ heap: ArraySlice<UInt8>, _ strings: [UInt32: String]) {
    let unit = Layout.StringHeap.unit
    bytes = heap.isEmpty ? [UInt8](repeating: 0, count: unit) : Array(heap)
    bytes += [UInt8](repeating: 0, count: (unit - bytes.count % unit) % unit)
    numbers = [:]
    for (number, text) in strings { numbers[text] = min(number, numbers[text] ?? .max) }
  }

  /// The number of a string, which is added if it is new; 0 for the empty string.
  mutating func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    var content = text.utf8.prefix(Layout.StringHeap.limit)
    // Leaves out the last character, because the limit may have cut it in two.
    if content.count < text.utf8.count {
      while let last = content.last, last & 0xC0 == 0x80 { content = content.dropLast() }
      content = content.dropLast()
    }
    let number = UInt32(clamping: bytes.count / Layout.StringHeap.unit)
    withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes += $0 }
    bytes += content
    let unit = Layout.StringHeap.unit
    bytes += [UInt8](repeating: 0, count: (unit - bytes.count % unit) % unit)
    numbers[text] = number
    return number
  }
}
