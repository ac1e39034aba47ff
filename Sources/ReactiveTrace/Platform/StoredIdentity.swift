import Glibc

/// The process that wrote a trace file, as recorded in the file.
struct StoredIdentity {
  let id: Int32
  let start: UInt64
  let namespace: UInt64
  let bootID: (high: UInt64, low: UInt64)
  /// The name of the program; nil if the file does not contain it.
  let programName: String?

  /// Reads the header of an open file; nil if the file is not a trace.
  init?(_ file: Int32) {
    typealias Header = Layout.FileHeader
    guard let header = Self.bytes(file, Header.byteCount, at: 0) else { return nil }
    let found = header.withUnsafeBytes { bytes -> Self? in
      guard Header.magic.load(from: bytes) == Header.magicNumber else { return nil }
      let strings = UnsafeRawBufferPointer(
        rebasing: bytes[(Header.regions + RegionKind.strings.rawValue * Layout.Region.byteCount)...]
      )
      return Self(
        id: Int32(bitPattern: Header.processID.load(from: bytes)),
        start: Header.processStart.load(from: bytes),
        namespace: Header.processNamespace.load(from: bytes),
        bootID: (Header.bootIDHigh.load(from: bytes), Header.bootIDLow.load(from: bytes)),
        programName: Self.string(
          Header.programName.load(from: bytes),
          file,
          at: Layout.Region.offset.load(from: strings),
          Layout.Region.size.load(from: strings)
        )
      )
    }
    guard let found else { return nil }
    self = found
  }

  private init(
    id: Int32,
    start: UInt64,
    namespace: UInt64,
    bootID: (high: UInt64, low: UInt64),
    programName: String?
  ) {
    self.id = id
    self.start = start
    self.namespace = namespace
    self.bootID = bootID
    self.programName = programName
  }

  /// Reads a string of the string heap, which begins at `base` and has `size` bytes.
  private static func string(
    _ number: UInt32,
    _ file: Int32,
    at base: UInt64,
    _ size: UInt64
  ) -> String? {
    typealias Heap = Layout.StringHeap
    let place = Int(number) * Heap.unit
    guard number != 0, base < 1 << 40, size < 1 << 40, place + Heap.bytes <= Int(size),
      let head = bytes(file, Heap.bytes, at: Int(base) + place)
    else { return nil }
    let length = head.withUnsafeBytes { Int(Heap.length.load(from: $0)) }
    guard length <= Heap.limit, place + Heap.bytes + length <= Int(size),
      let text = bytes(file, length, at: Int(base) + place + Heap.bytes)
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(_ file: Int32, _ count: Int, at offset: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(file, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}
