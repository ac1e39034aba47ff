import Glibc

/// Names of functions from the symbol table of an ELF file.
///
/// A program has dynamic symbols for its own functions only if it was linked with
/// `--export-dynamic`. But unless it was stripped, its file has a table of all functions, which is
/// not loaded into memory. The file is read with `pread`, in pieces, and nothing in it is trusted,
/// because it may have been replaced since it was loaded.
package struct ElfSymbols {
  private let file: Int32
  private let byteCount: UInt64

  /// Opens a file; nil if it is not a little-endian 64-bit ELF file.
  package init?(path: String) {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    file = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(file)
      return nil
    }
    byteCount = UInt64(max(0, status.st_size))
    guard bytes(at: 0, Self.headerSize)?.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) == true
    else {
      Glibc.close(file)
      return nil
    }
  }

  package func close() { Glibc.close(file) }

  /// A function: its names, and the first of its addresses according to the file.
  ///
  /// It has more than one name if the linker has merged functions with the same code.
  package struct Symbol: Equatable {
    package var names: [[UInt8]]
    package var start: UInt64
  }

  /// The maximum number of names of a function; further ones are left out.
  private static var nameLimit: Int { 16 }

  /// The functions that contain the given addresses of the file, which must be in ascending order.
  ///
  /// - Complexity: Reads the whole table once, 24 bytes a symbol, however many addresses there are.
  package func symbols(at addresses: [UInt64]) -> [UInt64: Symbol] {
    guard !addresses.isEmpty, let table = table() else { return [:] }
    var found: [UInt64: (names: [UInt64], start: UInt64)] = [:]
    forEachFunction(in: table) { name, start, size in
      // The symbol of a function in assembly may have no size.
      let (end, overflow) = start.addingReportingOverflow(max(size, 1))
      var index = Self.lowerBound(of: start, in: addresses)
      while index < addresses.count, addresses[index] < end || overflow {
        let address = addresses[index]
        let best = found[address]?.start
        if best ?? 0 < start || best == nil {
          found[address] = ([name], start)
        } else if best == start, found[address]?.names.count ?? 0 < Self.nameLimit {
          found[address]?.names.append(name)
        }
        index += 1
      }
    }
    return found.compactMapValues { symbol in
      let names = symbol.names.compactMap { name(at: $0, in: table) }
      return names.isEmpty ? nil : Symbol(names: names, start: symbol.start)
    }
  }

  /// All functions of the file in ascending order, each with its names and its range of addresses.
  ///
  /// - Complexity: O(*n* log *n*) in the number of symbols; reads all their names at once.
  package func allFunctions() -> [(start: UInt64, end: UInt64, names: [String])] {
    guard let table = table(), let heap = heap(of: table) else { return [] }
    var rows: [(start: UInt64, end: UInt64, name: Int)] = []
    forEachFunction(in: table) { name, start, size in
      let (end, overflow) = start.addingReportingOverflow(max(size, 1))
      guard !overflow, name < heap.count else { return }
      rows.append((start, end, Int(name)))
    }
    rows.sort { $0.start < $1.start }
    var functions: [(start: UInt64, end: UInt64, names: [String])] = []
    for row in rows {
      let name = String(decoding: heap[row.name...].prefix { $0 != 0 }, as: UTF8.self)
      if name.isEmpty { continue }
      if let last = functions.last, last.start == row.start {
        guard last.names.count < Self.nameLimit else { continue }
        functions[functions.count - 1].names.append(name)
        functions[functions.count - 1].end = max(last.end, row.end)
      } else {
        functions.append((row.start, row.end, [name]))
      }
    }
    return functions
  }

  /// All names; nil if the file does not contain them.
  private func heap(of table: Table) -> [UInt8]? {
    guard table.names <= byteCount, table.namesSize <= byteCount - table.names else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(table.namesSize)) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(table.names)))
    }
    return bytes.count == Int(table.namesSize) ? bytes : nil
  }

  /// The readable names (``FunctionNames``) of the functions to which the given addresses return.
  ///
  /// - Parameters:
  ///   - addresses: Return addresses in the loaded file, in any order.
  ///   - base: Where the first byte of the file was loaded.
  /// - Returns: The names of the functions, by address; only addresses in a known function have
  ///   one.
  package func functions(at addresses: [UInt64], loadedAt base: UInt64) -> [UInt64: String] {
    let bias = base &- firstAddress()
    let unique = Set(addresses).subtracting([0])
    let symbols = symbols(at: unique.map { $0 - 1 &- bias }.sorted())
    return Dictionary(
      uniqueKeysWithValues: unique.compactMap { address in
        symbols[address - 1 &- bias].map { symbol in
          (
            address,
            FunctionNames.readable(symbol.names.map { String(decoding: $0, as: UTF8.self) })
          )
        }
      }
    )
  }

  /// The address of the first loaded segment according to the file, rounded down to the beginning
  /// of its page.
  private func firstAddress() -> UInt64 {
    var first: UInt64?
    forEachSegment { segment in
      guard Self.integer(segment, 0, 4) == 1 else { return true }
      first = min(first ?? .max, Self.integer(segment, 16, 8))
      return true
    }
    return (first ?? 0) & ~4095
  }

  /// Calls `body` with each program header, until it returns false.
  private func forEachSegment(_ body: ([UInt8]) -> Bool) {
    guard let header = bytes(at: 0, Self.headerSize) else { return }
    let size = Self.integer(header, 54, 2)
    guard size >= 56 else { return }
    for index in 0..<min(Self.integer(header, 56, 2), 64) {
      let place = Self.integer(header, 32, 8).addingReportingOverflow(index * size)
      guard !place.overflow, let segment = bytes(at: place.partialValue, 56), body(segment) else {
        return
      }
    }
  }

  /// The contents of the first build-id note; empty if there is none.
  package func buildID() -> [UInt8] {
    var identifier: [UInt8]?
    forEachSegment { segment in
      let length = Self.integer(segment, 32, 8)
      guard Self.integer(segment, 0, 4) == 4, length <= 1 << 16,
        let notes = bytes(at: Self.integer(segment, 8, 8), length)
      else { return true }
      identifier = Self.buildID(in: notes)
      return identifier == nil
    }
    return identifier ?? []
  }

  // MARK: Sections

  private static var headerSize: UInt64 { 64 }
  private static var symbolSize: UInt64 { 24 }
  /// The maximum length of a name in ``symbols(at:)``, which leaves out longer ones.
  private static var longestName: UInt64 { 1 << 16 }

  private struct Table {
    var offset: UInt64
    var count: UInt64
    var names: UInt64
    var namesSize: UInt64
  }

  /// The table of all symbols, or, if the file was stripped, that of the dynamic ones.
  private func table() -> Table? {
    guard let header = bytes(at: 0, Self.headerSize) else { return nil }
    let sections = Self.integer(header, 40, 8)
    let size = Self.integer(header, 58, 2)
    let count = Self.integer(header, 60, 2)
    guard size >= 64, sections > 0 else { return nil }
    var dynamic: Table?
    for index in 0..<count {
      guard let section = section(index, at: sections, size) else { return dynamic }
      let type = Self.integer(section, 4, 4)
      guard type == 2 || type == 11, Self.integer(section, 56, 8) == Self.symbolSize,
        let names = self.section(Self.integer(section, 40, 4), at: sections, size)
      else { continue }
      let table = Table(
        offset: Self.integer(section, 24, 8),
        count: Self.integer(section, 32, 8) / Self.symbolSize,
        names: Self.integer(names, 24, 8),
        namesSize: Self.integer(names, 32, 8)
      )
      if type == 2 { return table }
      if dynamic == nil { dynamic = table }
    }
    return dynamic
  }

  private func section(_ index: UInt64, at start: UInt64, _ size: UInt64) -> [UInt8]? {
    let (place, overflow) = start.addingReportingOverflow(index * size)
    return overflow ? nil : bytes(at: place, 64)
  }

  private func forEachFunction(
    in table: Table,
    _ body: (_ name: UInt64, _ start: UInt64, _ size: UInt64) -> Void
  ) {
    // The table may claim more rows than the file can hold.
    let count = min(table.count, byteCount / Self.symbolSize)
    let atOnce: UInt64 = 2048
    var first: UInt64 = 0
    while first < count {
      let rows = min(atOnce, count - first)
      let (place, overflow) = table.offset.addingReportingOverflow(first * Self.symbolSize)
      guard !overflow, let piece = bytes(at: place, rows * Self.symbolSize) else { return }
      piece.withUnsafeBytes { piece in
        for row in 0..<Int(rows) {
          let start = row * Int(Self.symbolSize)
          let type = piece[start + 4] & 0xF
          let section = piece.loadUnaligned(fromByteOffset: start + 6, as: UInt16.self)
          // Only functions defined in this file, including those (IFUNC) whose implementation is
          // selected when the program starts.
          guard type == 2 || type == 10, section != 0 else { continue }
          body(
            UInt64(
              UInt32(littleEndian: piece.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            ),
            UInt64(littleEndian: piece.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)),
            UInt64(littleEndian: piece.loadUnaligned(fromByteOffset: start + 16, as: UInt64.self))
          )
        }
      }
      first += rows
    }
  }

  private func name(at offset: UInt64, in table: Table) -> [UInt8]? {
    guard offset < table.namesSize else { return nil }
    let (place, overflow) = table.names.addingReportingOverflow(offset)
    guard !overflow, place < byteCount else { return nil }
    let room = min(table.namesSize - offset, byteCount - place, Self.longestName)
    var length: UInt64 = 256
    while true {
      guard let text = bytes(at: place, min(length, room)) else { return nil }
      if let end = text.firstIndex(of: 0) { return end == 0 ? nil : Array(text[..<end]) }
      if length >= room { return nil }
      length *= 8
    }
  }

  // MARK: Bytes

  /// Reads `count` bytes; nil if the file has fewer, or if they are more than ``longestName``.
  private func bytes(at offset: UInt64, _ count: UInt64) -> [UInt8]? {
    guard count <= Self.longestName, offset <= byteCount, count <= byteCount - offset else {
      return nil
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
    }
    return bytes.count == Int(count) ? bytes : nil
  }

  /// Decodes a little-endian number.
  private static func integer(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }

  private static func lowerBound(of value: UInt64, in list: [UInt64]) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func buildID(in notes: [UInt8]) -> [UInt8]? {
    var place = 0
    while place + 12 <= notes.count {
      let name = Int(integer(notes, place, 4))
      let contents = Int(integer(notes, place + 4, 4))
      let start = place + 12 + (name + 3) & ~3
      guard start + contents <= notes.count else { return nil }
      let isBuildID = integer(notes, place + 8, 4) == 3 && name == 4
      if isBuildID, Array(notes[(place + 12)..<(place + 16)]) == [0x47, 0x4E, 0x55, 0] {
        return Array(notes[start..<(start + contents)])
      }
      place = start + (contents + 3) & ~3
    }
    return nil
  }
}
