/// Writes a trace as text.
///
/// It reads the raw rows, so that even meaningless rows are shown.
struct TraceDumper {
  private let reader: TraceReader
  private let header: TraceHeader
  private let tables: TableReader
  private let write: (String) -> Void
  private let strings: [UInt32: [UInt8]]
  /// The lowest string number of each text.
  ///
  /// Only this number is replaced by its text, because any other would be read back as this one.
  private let numbers: [[UInt8]: UInt32]

  init(reader: TraceReader, header: TraceHeader, write: @escaping (String) -> Void) {
    self.reader = reader
    self.header = header
    self.write = write
    tables = TableReader(file: reader.file, header: header)
    let heap = tables.heap(.strings)
    strings = Self.strings(in: heap)
    var numbers: [[UInt8]: UInt32] = [:]
    for (number, bytes) in strings {
      numbers[bytes] = min(number, numbers[bytes] ?? .max)
    }
    self.numbers = numbers
  }

  func dump() {
    write("# \(reader.path)")
    let page = reader.file.bytes(at: 0, count: Layout.FileHeader.byteCount)
    page.withUnsafeBytes { page in
      for field in LayoutSpec.header.fields {
        write("header \(field.name)=\(text(field, field.load(from: page, at: 0)))")
      }
    }
    dumpRegions()
    for number in strings.keys.sorted() where number != 0 {
      write("string \(number) \(TraceText.quoted(strings[number] ?? []))")
    }
    dumpStacks()
    for kind in RegionKind.allCases {
      guard let spec = LayoutSpec.tables[kind] else { continue }
      tables.forEachFilledRow(of: kind) { index, row in dump(spec, kind, index, row) }
    }
    for kind in [RegionKind.segments, .tail] {
      SegmentReader(reader.file, header, kind).forEachStored { dumpSegment($0, kind) }
    }
    dumpProblems()
  }

  // MARK: Tables

  private func dumpRegions() {
    for kind in RegionKind.allCases {
      guard let region = header.regions[kind] else { continue }
      write(
        "region \(kind) offset=\(region.offset) size=\(region.size) entrySize=\(region.entrySize)"
          + " capacity=\(region.capacity) used=\(region.used) lost=\(region.lost)"
      )
    }
  }

  private func dumpStacks() {
    let heap = tables.heap(.stacks)
    var offset = 0
    heap.withUnsafeBytes { heap in
      while offset + Layout.StackHeap.frames <= heap.count {
        let count = Layout.StackHeap.count.load(from: heap, at: offset)
        let room = (heap.count - offset - Layout.StackHeap.frames) / 8
        guard count <= UInt64(Layout.StackHeap.limit), Int(count) <= room else {
          return
        }
        // Stack 0 is the empty one, even if its count says otherwise.
        if count > 0, offset > 0 {
          let frames = (0..<Int(count)).map { frame in
            Field<UInt64>(at: Layout.StackHeap.frames + 8 * frame).load(from: heap, at: offset)
          }
          let words = frames.map { " 0x" + TraceText.hex($0, digits: 1) }
          write("stack \(offset / Layout.StackHeap.unit)" + words.joined())
        }
        offset += Layout.StackHeap.frames + 8 * Int(count)
      }
    }
  }

  private func dump(
    _ spec: StructureSpec,
    _ kind: RegionKind,
    _ index: Int,
    _ row: UnsafeRawBufferPointer
  ) {
    guard row.prefix(spec.byteCount).contains(where: { $0 != 0 }) else { return }
    var place = "\(index)"
    if kind == .markCounts {
      let sites = max(1, Int(header.regions[.sites]?.capacity ?? 0))
      place = "\(index / sites) \(index % sites)"
    }
    write("\(spec.name) \(place)" + fields(spec, row))
  }

  /// The text of the fields that are not zero, and of those for which assembling would otherwise
  /// fill in a default.
  private func fields(_ spec: StructureSpec, _ row: UnsafeRawBufferPointer) -> String {
    var line = ""
    for field in spec.fields {
      if field.isBytes {
        let bytes = Array(row[field.offset..<(field.offset + field.width)])
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { continue }
        let used = bytes[...last]
        line += " \(field.name)="
        line +=
          field.type == .text
          ? TraceText.quoted(used) : used.map { TraceText.hex(UInt64($0), digits: 2) }.joined()
        continue
      }
      for index in 0..<field.count {
        let value = field.load(from: row, at: 0, index: index)
        guard value != 0 || TraceAssembler.defaults[spec.name]?.contains(field.name) == true else {
          continue
        }
        let name = field.count > 1 ? "\(field.name).\(index)" : field.name
        line += " \(name)=\(text(field, value))"
      }
    }
    return line
  }

  private func text(_ field: FieldSpec, _ value: UInt64) -> String {
    switch field.type {
    case .hex: "0x" + TraceText.hex(value, digits: 1)
    case .string: stringText(value)
    case .names(let names) where value < UInt64(names.count): names[Int(value)]
    default: "\(value)"
    }
  }

  private func stringText(_ value: UInt64) -> String {
    guard value > 0, let number = UInt32(exactly: value), let bytes = strings[number],
      numbers[bytes] == number
    else { return "\(value)" }
    return TraceText.quoted(bytes)
  }

  private static func strings(in heap: [UInt8]) -> [UInt32: [UInt8]] {
    var strings: [UInt32: [UInt8]] = [:]
    let unit = Layout.StringHeap.unit
    var (offset, emptyCount) = (0, 0)
    heap.withUnsafeBytes { heap in
      while offset + Layout.StringHeap.bytes <= heap.count {
        let length = Int(Layout.StringHeap.length.load(from: heap, at: offset))
        let first = offset + Layout.StringHeap.bytes
        if length == 0 { emptyCount += 1 }
        guard length <= Layout.StringHeap.limit, first + length <= heap.count,
          emptyCount <= RegionKind.emptyEntryLimit
        else { return }
        strings[UInt32(clamping: offset / unit)] = Array(heap[first..<(first + length)])
        offset = (first + length + unit - 1) / unit * unit
      }
    }
    return strings
  }

  // MARK: Segments

  private func dumpSegment(_ index: Int, _ kind: RegionKind) {
    guard let region = header.regions[kind] else { return }
    let start = region.offset(ofRow: index)
    let bytes = reader.file.bytes(at: start, count: Layout.Segment.headerByteCount)
    guard bytes.contains(where: { $0 != 0 }), bytes.count == Layout.Segment.headerByteCount else {
      return
    }
    bytes.withUnsafeBytes {
      write((kind == .tail ? "tail" : "segment") + " \(index)" + fields(LayoutSpec.segment, $0))
    }
    var log = ProblemLog(path: reader.path)
    let segments = SegmentReader(reader.file, header, kind)
    guard let segment = segments.header(at: index, &log) else { return }
    let first = Layout.Segment.headerByteCount
    let records = reader.file.bytes(at: start + first, count: Int(segment.committed) - first)
    guard segments.header(at: index, &log)?.epoch == segment.epoch else {
      write("  # recycled while it was read")
      return
    }
    records.withUnsafeBytes { dumpRecords($0, epoch: segment.epoch) }
  }

  private func dumpRecords(_ bytes: UnsafeRawBufferPointer, epoch: UInt64) {
    let size = Layout.Record.byteCount
    let count = bytes.count / size
    func head(_ row: Int) -> UInt64 { Layout.Record.head.load(from: bytes, at: row * size) }
    func body(_ row: Int) -> UInt64 { Layout.Record.body.load(from: bytes, at: row * size) }
    var row = 0
    while row < count {
      let number = Packing.recordNumber(epoch: epoch, index: row)
      let rawKind = Packing.kind(ofHead: head(row))
      var line = "  \(number): +\(Packing.delta(ofHead: head(row)))"
      var length = 1
      if let spec = RecordSpec.of(number: rawKind) {
        while length <= spec.continuations, row + length < count,
          Packing.kind(ofHead: head(row + length)) == RecordKind.continuation.rawValue
        {
          length += 1
        }
        if length > spec.continuations {
          let more = (1..<length).flatMap {
            [Packing.delta(ofHead: head(row + $0)), body(row + $0)]
          }
          line += " " + text(spec, body(row), more)
        } else {
          // The continuations of the record are missing.
          length = 1
          line +=
            " kind \(rawKind) id=\(Packing.low(body(row))) argument=\(Packing.high(body(row)))"
        }
      } else {
        line += " kind \(rawKind) id=\(Packing.low(body(row))) argument=\(Packing.high(body(row)))"
      }
      write(line)
      row += length
    }
  }

  private func text(_ spec: RecordSpec, _ body: UInt64, _ more: [UInt64]) -> String {
    var line = spec.name
    func add(_ argument: (name: String, type: ArgumentType), _ value: UInt64, fallback: String) {
      if argument.type == .none {
        if value != 0 { line += " \(fallback)=\(value)" }
      } else {
        line += " \(argument.name)=\(text(argument.type, value))"
      }
    }
    add(spec.identifier, UInt64(Packing.low(body)), fallback: "id")
    add(spec.argument, UInt64(Packing.high(body)), fallback: "argument")
    for (argument, value) in zip(spec.more, more) { add(argument, value, fallback: argument.name) }
    return line
  }

  private func text(_ type: ArgumentType, _ value: UInt64) -> String {
    switch type {
    case .string: return stringText(value)
    case .state: return "0x" + TraceText.hex(value, digits: 1)
    default:
      guard let names = TextValues.names(of: type), value < UInt64(names.count) else {
        return "\(value)"
      }
      return names[Int(value)]
    }
  }

  private func dumpProblems() {
    guard let snapshot = try? reader.snapshot() else { return }
    for problem in snapshot.problems {
      write("# byte \(problem.byteOffset ?? 0): \(problem.message)")
    }
  }
}
