/// Builds a trace file from the statements of its text form.
struct TraceAssembler {
  /// A segment as described: its header and its records, two words each.
  struct Segment {
    var fields: [UInt8]
    /// The names of fields that the statement contains, which defaults do not replace.
    var given: Set<String> = []
    var words: [UInt64] = []
  }

  /// A change to the finished bytes.
  enum Override {
    case set(FieldSpec, index: Int, value: UInt64, structure: Structure)
    case bytes([UInt8], Structure, offset: Int)
    case truncate(Int)
  }

  /// The structure that an override changes.
  enum Structure {
    case file
    /// A row of the region table.
    case region(RegionKind)
    /// The contents of a region.
    case contents(RegionKind)
    case row(RegionKind, Int)
  }

  var header: [String: UInt64] = [:]
  var regions: [RegionKind: [String: UInt64]] = [:]
  var rows: [RegionKind: [Int: [UInt8]]] = [:]
  /// Rows of mark counts, by mark and site, because their position depends on the capacity of the
  /// site table.
  var counts: [(mark: Int, site: Int, bytes: [UInt8])] = []
  var segments: [Int: Segment] = [:]
  /// The segments of the tail, the part of the file to which a stream appends full segments.
  var tail: [Int: Segment] = [:]
  var strings = HeapText(unit: Layout.StringHeap.unit)
  var stacks = HeapText(unit: Layout.StackHeap.unit)
  var overrides: [(line: Int, Override)] = []
  private var lastSegment = -1
  private var lastInTail = -1
  /// Whether the following records belong to the last segment of the tail, rather than of the ring.
  private var isInTail = false

  /// The highest number of a row.
  ///
  /// A text with a higher number is refused, because it would fill the memory.
  static let rowLimit = 1 << 20
  let byteLimit: Int

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The fields of each structure that are filled in if a line leaves them out.
  static let defaults: [String: Set<String>] = [
    "segment": ["epoch", "committed", "state", "generation"], "mark": ["sequence"],
  ]

  /// Processes one line.
  mutating func add(_ words: [TextWord], line: Int) throws(TraceError) {
    guard let first = words.first else { return }
    guard let statement = first.bare else {
      throw TraceText.error(line, "a statement was expected, such as 'site' or 'segment'")
    }
    let rest = words.dropFirst()
    switch statement {
    case "header": try addHeader(rest, line)
    case "region": try addRegion(rest, line)
    case "string": try addString(rest, line)
    case "stack": try addStack(rest, line)
    case "segment": try addSegment(rest, line, inTail: false)
    case "tail": try addSegment(rest, line, inTail: true)
    case "count": try addCount(rest, line)
    case "set": try addSet(rest, line)
    case "raw": try addRaw(rest, line)
    case "truncate":
      overrides.append((line, .truncate(try index(rest, line, "truncate", byteLimit))))
    case let text where text.hasPrefix("+"): try addRecord(words[...], line)
    case let text where text.hasSuffix(":") && UInt64(text.dropLast()) != nil:
      try addRecord(rest, line)
    default:
      guard let (kind, spec) = Self.table(named: statement) else {
        throw TraceText.error(
          line,
          "'\(statement)' is not a statement; one of header, region, string, stack, site, slot, upstream, chain, scheduler, thread, image, symbol, mark, count, segment, tail, set, raw, truncate, or '+TICKS' was expected"
        )
      }
      try addRow(kind, spec, rest, line)
    }
  }

  static func table(named name: String) -> (RegionKind, StructureSpec)? {
    for (kind, spec) in LayoutSpec.tables where spec.name == name { return (kind, spec) }
    return nil
  }

  // MARK: Header, regions, heaps

  private mutating func addHeader(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    for word in words {
      let (field, _) = try field(of: word, in: LayoutSpec.header, line)
      header[field.name] = try value(of: word, field, line)
    }
  }

  private mutating func addRegion(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    guard let name = words.first?.bare,
      let kind = RegionKind.allCases.first(where: { "\($0)" == name })
    else {
      let names = RegionKind.allCases.map { "\($0)" }.joined(separator: ", ")
      throw TraceText.error(line, "'region' wants the name of one: \(names)")
    }
    var fields = regions[kind] ?? [:]
    for word in words.dropFirst() {
      let (field, _) = try field(of: word, in: LayoutSpec.region, line)
      fields[field.name] = try value(of: word, field, line)
    }
    regions[kind] = fields
  }

  private mutating func addString(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    guard case .quoted(let bytes)? = words.last?.value, words.count <= 2 else {
      throw TraceText.error(
        line,
        "'string' wants a number, which may be left out, and a quoted text"
      )
    }
    let number = words.count == 2 ? try heapNumber(words, line, "string") : nil
    strings.addString(bytes, at: number)
  }

  private mutating func addStack(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    var words = words
    var number: Int?
    if let text = words.first?.bare, !text.hasPrefix("0x") {
      number = try heapNumber(words, line, "stack")
      words = words.dropFirst()
    }
    var frames: [UInt64] = []
    for word in words {
      guard let text = word.bare else {
        throw TraceText.error(line, "'stack' wants a number, which may be left out, and addresses")
      }
      frames.append(try TextValues.number(text, line: line, of: "a return address"))
    }
    stacks.addStack(frames, at: number)
  }

  private func heapNumber(
    _ words: ArraySlice<TextWord>,
    _ line: Int,
    _ name: String
  ) throws(TraceError) -> Int {
    let number = try index(words, line, name, Self.rowLimit)
    guard number > 0 else {
      throw TraceText.error(line, "\(name) 0 is the empty one; a number from 1 on was expected")
    }
    return number
  }

  // MARK: Rows

  private mutating func addRow(
    _ kind: RegionKind,
    _ spec: StructureSpec,
    _ words: ArraySlice<TextWord>,
    _ line: Int
  ) throws(TraceError) {
    let first = [.marks, .images, .symbols].contains(kind) ? 0 : 1
    let place = try optionalIndex(words, line, spec.name)
    let row = place ?? (rows[kind]?.keys.max().map { $0 + 1 } ?? first)
    let fields = place == nil ? words : words.dropFirst()
    var bytes = [UInt8](repeating: 0, count: spec.byteCount)
    // The sequence of a complete row is even, and not 0.
    if kind == .marks { spec.fields[0].store(2, to: &bytes, at: 0) }
    for word in fields { try store(word, spec, in: &bytes, line) }
    rows[kind, default: [:]][row] = bytes
  }

  private mutating func addCount(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    guard let spec = LayoutSpec.tables[.markCounts] else { return }
    let mark = try index(words, line, "count", Self.rowLimit)
    let site = try index(words.dropFirst(), line, "count", Self.rowLimit)
    var bytes = [UInt8](repeating: 0, count: spec.byteCount)
    for word in words.dropFirst(2) { try store(word, spec, in: &bytes, line) }
    counts.append((mark, site, bytes))
  }

  // MARK: Segments and records

  private mutating func addSegment(
    _ words: ArraySlice<TextWord>,
    _ line: Int,
    inTail: Bool
  ) throws(TraceError) {
    let place = try optionalIndex(words, line, inTail ? "tail" : "segment")
    let index = place ?? (inTail ? lastInTail : lastSegment) + 1
    isInTail = inTail
    var segment = Segment(fields: [UInt8](repeating: 0, count: Layout.Segment.headerByteCount))
    for word in place == nil ? words : words.dropFirst() {
      try store(word, LayoutSpec.segment, in: &segment.fields, line)
      if let key = word.key { segment.given.insert(key) }
    }
    if inTail {
      tail[index] = segment
      lastInTail = index
    } else {
      segments[index] = segment
      lastSegment = index
    }
  }

  private mutating func addRecord(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    guard var segment = isInTail ? tail[lastInTail] : segments[lastSegment] else {
      throw TraceText.error(line, "a record stands before the first 'segment'")
    }
    let added = try RecordText.words(words, line: line) { bytes in
      UInt64(strings.number(ofString: bytes))
    }
    segment.words += added
    guard segment.words.count / 2 <= Layout.Segment.recordCapacity else {
      throw TraceText.error(
        line,
        "segment \(isInTail ? lastInTail : lastSegment) has no room for this record; it holds \(Layout.Segment.recordCapacity)"
      )
    }
    if isInTail { tail[lastInTail] = segment } else { segments[lastSegment] = segment }
  }

  // MARK: Fields

  private mutating func store(
    _ word: TextWord,
    _ spec: StructureSpec,
    in bytes: inout [UInt8],
    _ line: Int
  ) throws(TraceError) {
    let (field, index) = try field(of: word, in: spec, line)
    guard field.isBytes else {
      field.store(try value(of: word, field, line), to: &bytes, at: 0, index: index)
      return
    }
    let content: [UInt8] =
      switch word.value {
      case .quoted(let text): text
      case .bare(let digits): try TextValues.bytes(digits, line: line)
      }
    guard content.count <= field.width else {
      throw TraceText.error(line, "\(field.name) holds \(field.width) bytes, not \(content.count)")
    }
    bytes.replaceSubrange(field.offset..<(field.offset + content.count), with: content)
  }

  func field(
    of word: TextWord,
    in spec: StructureSpec,
    _ line: Int
  ) throws(TraceError) -> (FieldSpec, index: Int) {
    guard let key = word.key else {
      throw TraceText.error(line, "'\(spec.name)' wants fields, as in 'name=value'")
    }
    let (name, index) = TextValues.indexed(key)
    guard let field = spec.field(name), index ?? 0 < field.count, index ?? 0 >= 0 else {
      let names = spec.fields.map(\.name).joined(separator: ", ")
      throw TraceText.error(
        line,
        "'\(key)' is not a field of '\(spec.name)'; one of \(names) was expected"
      )
    }
    return (field, index ?? 0)
  }

  private mutating func value(
    of word: TextWord,
    _ field: FieldSpec,
    _ line: Int
  ) throws(TraceError) -> UInt64 {
    switch word.value {
    case .bare(let text):
      let names: [String]? = if case .names(let names) = field.type { names } else { nil }
      return try TextValues.number(
        text,
        names: names,
        limit: field.limit,
        line: line,
        of: field.name
      )
    case .quoted(let bytes):
      guard field.type == .string else {
        throw TraceText.error(line, "\(field.name) is a number, not a text")
      }
      return UInt64(strings.number(ofString: bytes))
    }
  }

  /// The number with which `words` begins; nil if it begins with a field.
  func optionalIndex(
    _ words: ArraySlice<TextWord>,
    _ line: Int,
    _ name: String
  ) throws(TraceError) -> Int? {
    words.first?.bare == nil ? nil : try index(words, line, name, Self.rowLimit)
  }

  func index(
    _ words: ArraySlice<TextWord>,
    _ line: Int,
    _ name: String,
    _ limit: Int
  ) throws(TraceError) -> Int {
    guard let text = words.first?.bare else {
      throw TraceText.error(line, "'\(name)' wants a number")
    }
    return Int(try TextValues.number(text, limit: UInt64(limit), line: line, of: name))
  }
}
