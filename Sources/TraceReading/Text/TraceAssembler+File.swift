/// Lays out the bytes of the trace file.
extension TraceAssembler {
  /// A region with its position in the file.
  private struct Placed {
    var offset: Int
    var size: Int
    var entrySize: Int
    var fields: [String: UInt64]
  }

  /// The bytes of the file, after the overrides, which are changes to the finished bytes.
  func file() throws(TraceError) -> [UInt8] {
    let placed = try place()
    let end = placed.values.map { $0.offset + $0.size }.max() ?? Layout.FileHeader.byteCount
    var bytes = [UInt8](repeating: 0, count: max(end, Layout.FileHeader.byteCount))
    for (kind, region) in placed { fill(kind, region, in: &bytes) }
    writeHeader(placed, in: &bytes)
    for (line, override) in overrides {
      switch override {
      case .truncate(let count): bytes.removeLast(max(0, bytes.count - count))
      case .set(let field, let index, let value, let structure):
        let start = try start(of: structure, in: placed, line)
        guard start + field.offset + field.width * field.count <= bytes.count else {
          throw TraceText.error(line, "'\(field.name)' lies outside of the file")
        }
        field.store(value, to: &bytes, at: start, index: index)
      case .bytes(let raw, let structure, let offset):
        let start = try start(of: structure, in: placed, line) + offset
        guard start + raw.count <= bytes.count else {
          throw TraceText.error(
            line,
            "bytes \(start) to \(start + raw.count) lie outside of the file, which has \(bytes.count)"
          )
        }
        bytes.replaceSubrange(start..<(start + raw.count), with: raw)
      }
    }
    return bytes
  }

  private func start(
    of structure: Structure,
    in placed: [RegionKind: Placed],
    _ line: Int
  ) throws(TraceError) -> Int {
    switch structure {
    case .file: return 0
    case .region(let kind):
      return Layout.FileHeader.regions + kind.rawValue * Layout.Region.byteCount
    case .contents(let kind):
      return try self.start(of: .row(kind, 0), in: placed, line)
    case .row(let kind, let row):
      guard let region = placed[kind] else {
        throw TraceText.error(line, "the file has no region '\(kind)'")
      }
      return region.offset + row * region.entrySize
    }
  }

  // MARK: Regions

  private func place() throws(TraceError) -> [RegionKind: Placed] {
    var placed: [RegionKind: Placed] = [:]
    var end = Layout.FileHeader.byteCount
    for kind in RegionKind.allCases {
      let given = regions[kind] ?? [:]
      let contents = used(kind)
      // A region that has no contents exists only if a line describes it.
      guard contents > 0 || regions[kind] != nil else { continue }
      let entrySize = Int(clamping: given["entrySize"] ?? UInt64(kind.knownEntrySize))
      // The size and the capacity of the tail are 0 in the header, because it grows.
      let isTail = kind == .tail
      let capacity =
        isTail ? contents : Int(clamping: given["capacity"] ?? UInt64(max(contents, 1)))
      let (size, overflow) = capacity.multipliedReportingOverflow(by: entrySize)
      let offset = given["offset"].map { Int(clamping: $0) } ?? end
      let fullSize = isTail ? size : given["size"].map { Int(clamping: $0) } ?? size
      guard !overflow, offset <= byteLimit, fullSize <= byteLimit - offset,
        entrySize <= byteLimit, fits(contents, entrySize, fullSize), offset >= 0,
        entrySize >= kind.leastEntrySize
      else {
        throw TraceError(
          .malformedText,
          "the region '\(kind)' has no room for its contents, or ends beyond \(byteLimit) bytes; "
            + "to write a false size on purpose, use 'set'"
        )
      }
      var fields = given
      fields["offset"] = UInt64(offset)
      fields["size"] = isTail ? 0 : UInt64(fullSize)
      fields["entrySize"] = UInt64(entrySize)
      fields["capacity"] = isTail ? 0 : UInt64(capacity)
      fields["used"] = given["used"] ?? UInt64(contents)
      placed[kind] = Placed(offset: offset, size: fullSize, entrySize: entrySize, fields: fields)
      end = max(end, (offset + fullSize + 63) / 64 * 64)
    }
    return placed
  }

  private func fits(_ count: Int, _ entrySize: Int, _ size: Int) -> Bool {
    let (needed, overflow) = count.multipliedReportingOverflow(by: entrySize)
    return !overflow && needed <= size
  }

  /// The number of entries, or bytes of a heap, that the statements describe.
  private func used(_ kind: RegionKind) -> Int {
    switch kind {
    case .segments: segments.keys.max().map { $0 + 1 } ?? 0
    case .tail: tail.keys.max().map { $0 + 1 } ?? 0
    case .strings: strings.bytes.count > Layout.StringHeap.unit ? strings.bytes.count : 0
    case .stacks: stacks.bytes.count > Layout.StackHeap.unit ? stacks.bytes.count : 0
    case .markCounts: countRows.keys.max().map { $0 + 1 } ?? 0
    default: rows[kind]?.keys.max().map { $0 + 1 } ?? 0
    }
  }

  /// The capacity of the site table, which determines the rows of mark counts.
  private var siteCapacity: Int {
    let given = regions[.sites]?["capacity"].map { Int(clamping: $0) }
    return max(1, min(Self.rowLimit, given ?? rows[.sites]?.keys.max().map { $0 + 1 } ?? 1))
  }

  private var countRows: [Int: [UInt8]] {
    var rows: [Int: [UInt8]] = [:]
    for count in counts { rows[count.mark * siteCapacity + count.site] = count.bytes }
    return rows
  }

  private func fill(_ kind: RegionKind, _ region: Placed, in bytes: inout [UInt8]) {
    func copy(_ contents: [UInt8], to start: Int) {
      bytes.replaceSubrange(start..<(start + contents.count), with: contents)
    }
    switch kind {
    case .strings where used(kind) > 0: copy(strings.bytes, to: region.offset)
    case .stacks where used(kind) > 0: copy(stacks.bytes, to: region.offset)
    case .segments:
      for (index, segment) in segments {
        copy(contents(of: segment, index), to: region.offset + index * region.entrySize)
      }
    case .tail:
      for (index, segment) in tail {
        copy(contents(of: segment, index), to: region.offset + index * region.entrySize)
      }
    case .markCounts:
      for (index, row) in countRows { copy(row, to: region.offset + index * region.entrySize) }
    default:
      for (index, row) in rows[kind] ?? [:] {
        // Only as many bytes are copied as an entry has, because earlier versions have shorter
        // entries for marks.
        copy(Array(row.prefix(region.entrySize)), to: region.offset + index * region.entrySize)
      }
    }
  }

  private func contents(of segment: Segment, _ index: Int) -> [UInt8] {
    var bytes = segment.fields
    let committed = Layout.Segment.headerByteCount + segment.words.count * 8
    let defaults: [(String, UInt64)] = [
      ("epoch", UInt64(index + 1)), ("committed", UInt64(committed)),
      ("state", UInt64(SegmentState.sealed.rawValue)), ("generation", 1),
    ]
    for (name, value) in defaults where !segment.given.contains(name) {
      LayoutSpec.segment.field(name)?.store(value, to: &bytes, at: 0)
    }
    for word in segment.words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    return bytes
  }

  // MARK: Header

  private func writeHeader(_ placed: [RegionKind: Placed], in bytes: inout [UInt8]) {
    var values = header
    func load(_ name: String, _ segment: Segment, _ index: Int) -> UInt64 {
      let contents = contents(of: segment, index)
      let field = LayoutSpec.segment.field(name)
      return contents.withUnsafeBytes { field?.load(from: $0, at: 0) ?? 0 }
    }
    let generation = values["generation"] ?? segments.map { load("generation", $1, $0) }.max() ?? 1
    let serials = (rows[.slab] ?? [:]).values.map { row in
      row.withUnsafeBytes { Layout.Slot.serial.load(from: $0) }
    }
    let level = UInt64(TraceLevel.events.rawValue)
    let defaults: [String: UInt64] = [
      "magic": Layout.FileHeader.magicNumber,
      "majorVersion": UInt64(Layout.FileHeader.currentMajorVersion),
      "minorVersion": UInt64(Layout.FileHeader.currentMinorVersion),
      "state": UInt64(FileState.recording.rawValue),
      "control": level | (generation << 8 & 0xFFFF_FFFF),
      "generation": generation,
      "startLevel": level,
      "slotBits": 8,
      "fixedByteCount": UInt64(bytes.count),
      "lastEpoch": [segments, tail].joined().map { load("epoch", $1, $0) }.max() ?? 0,
      "lastSerial": serials.max() ?? 0,
    ]
    values.merge(defaults) { given, _ in given }
    for field in LayoutSpec.header.fields {
      if let value = values[field.name] { field.store(value, to: &bytes, at: 0) }
    }
    for (kind, region) in placed {
      let row = Layout.FileHeader.regions + kind.rawValue * Layout.Region.byteCount
      for field in LayoutSpec.region.fields {
        if let value = region.fields[field.name] { field.store(value, to: &bytes, at: row) }
      }
    }
  }
}
