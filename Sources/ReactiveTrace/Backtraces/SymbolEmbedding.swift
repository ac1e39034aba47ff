import Glibc

/// Adds the names of functions to a trace that has ended (TraceFormat §8).
public enum SymbolEmbedding {
  /// Makes a copy of a trace that holds `symbols` in place of those it has.
  ///
  /// The copy appears whole or not at all, with the permissions of the trace. Stretches of zeros become holes.
  ///
  /// - Parameters:
  ///   - symbols: In any order; those of one address from the innermost function outwards.
  ///   - reader: The trace. No process may record into it; and where the copy takes its place, none may be able
  ///     to go on.
  ///   - path: The file to make, or to replace; it may be the trace itself.
  /// - Throws: ``TraceError`` if the trace cannot be read, or the copy not be written.
  public static func write(
    _ symbols: [TraceSymbol],
    of reader: TraceReader,
    to path: String
  ) throws(TraceError) {
    let snapshot = try reader.snapshot()
    let file = try NewFile(beside: path)
    do throws(TraceError) {
      let end = try copy(reader.file, to: file)
      try append(symbols, snapshot, behind: end, of: reader, to: file)
      try file.finish(permissions: reader.file.permissions)
    } catch {
      file.abandon()
      throw error
    }
  }

  private static var pieceSize: Int { 1 << 16 }

  /// Copies the whole file, and returns how long it is.
  private static func copy(_ file: TraceFile, to copy: NewFile) throws(TraceError) -> Int {
    let count = file.byteCount
    var place = 0
    while place < count {
      let piece = file.bytes(at: place, count: min(pieceSize, count - place))
      guard !piece.isEmpty else { break }
      if piece.contains(where: { $0 != 0 }) { try copy.write(piece, at: place) }
      place += piece.count
    }
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

  private static func rows(_ symbols: [TraceSymbol], _ strings: inout StringHeapCopy) -> [UInt8] {
    // A stable order: functions of one address stay as they are.
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

/// A heap of strings that can be added to.
private struct StringHeapCopy {
  private(set) var bytes: [UInt8]
  private var numbers: [String: UInt32]

  /// As much of a heap as could be read, and what is in it.
  init(_ heap: ArraySlice<UInt8>, _ strings: [UInt32: String]) {
    let unit = Layout.StringHeap.unit
    bytes = heap.isEmpty ? [UInt8](repeating: 0, count: unit) : Array(heap)
    bytes += [UInt8](repeating: 0, count: (unit - bytes.count % unit) % unit)
    numbers = [:]
    for (number, text) in strings { numbers[text] = min(number, numbers[text] ?? .max) }
  }

  /// The number of a text, which is added if need be; 0 if it is empty.
  mutating func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    var content = text.utf8.prefix(Layout.StringHeap.limit)
    // No character is cut in two.
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

/// A file that gets its name when it is complete.
private struct NewFile {
  private let path: String
  private let temporary: String
  private let descriptor: Int32

  init(beside path: String) throws(TraceError) {
    self.path = path
    temporary = "\(path).\(getpid())"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot be made", path) }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(TraceError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor,
          buffer.baseAddress.map { $0 + done },
          buffer.count - done,
          off_t(offset + done)
        )
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("cannot be written", path) }
      done += count
    }
  }

  func finish(permissions: mode_t) throws(TraceError) {
    fchmod(descriptor, permissions)
    guard rename(temporary, path) == 0 else {
      throw Self.failure("cannot be put in its place", path)
    }
    close(descriptor)
  }

  func abandon() {
    close(descriptor)
    unlink(temporary)
  }

  private static func failure(_ what: String, _ path: String) -> TraceError {
    TraceError(
      .system,
      "\(what) (\(String(cString: strerror(errno)))); a directory to write into, with room for another copy, was expected",
      path: path
    )
  }
}
