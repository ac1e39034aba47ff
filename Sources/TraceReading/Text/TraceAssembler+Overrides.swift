/// Statements that change the finished bytes, to make malformed files.
extension TraceAssembler {
  /// Adds a statement like `set header.magic 0`, `set region.slab.offset 99`,
  /// or `set site.3.name 7`.
  mutating func addSet(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    guard words.count == 2, let path = words.first?.bare, let text = words.last?.bare else {
      throw TraceText.error(
        line,
        "'set' wants a field and a number, as in 'set segment.0.committed 7'"
      )
    }
    var parts = path.split(separator: ".").map(String.init)
    let structure: Structure
    let spec: StructureSpec
    switch parts.first {
    case "header":
      (structure, spec) = (.file, LayoutSpec.header)
      parts.removeFirst()
    case "region":
      guard parts.count > 2, let kind = Self.region(named: parts[1]) else {
        throw TraceText.error(line, "'\(path)' names no region, as in 'region.slab.offset'")
      }
      (structure, spec) = (.region(kind), LayoutSpec.region)
      parts.removeFirst(2)
    default:
      guard parts.count > 2, let row = Int(parts[1]), row >= 0, row <= Self.rowLimit else {
        throw TraceText.error(line, "'\(path)' names no field of a row, as in 'site.3.name'")
      }
      if parts[0] == "segment" {
        (structure, spec) = (.row(.segments, row), LayoutSpec.segment)
      } else if let (kind, table) = Self.table(named: parts[0]) {
        (structure, spec) = (.row(kind, row), table)
      } else {
        throw TraceText.error(
          line,
          "'\(parts[0])' is not a structure; header, region, segment or a table was expected"
        )
      }
      parts.removeFirst(2)
    }
    let word = TextWord(key: parts.joined(separator: "."), value: .bare(text))
    let (field, index) = try field(of: word, in: spec, line)
    let names: [String]? = if case .names(let names) = field.type { names } else { nil }
    let value = try TextValues.number(text, names: names, limit: field.limit, line: line, of: path)
    overrides.append((line, .set(field, index: index, value: value, structure: structure)))
  }

  /// Adds a statement like `raw offset 64 00 FF`, `raw strings offset 8 FF`, or
  /// `raw segment 0 offset 64 0102`.
  mutating func addRaw(_ words: ArraySlice<TextWord>, _ line: Int) throws(TraceError) {
    var words = words
    var structure = Structure.file
    if let name = words.first?.bare, name != "offset" {
      words = words.dropFirst()
      if name == "segment" {
        structure = .row(.segments, try index(words, line, "raw segment", Self.rowLimit))
        words = words.dropFirst()
      } else if let kind = Self.region(named: name) {
        structure = .contents(kind)
      } else if let (kind, _) = Self.table(named: name) {
        structure = .row(kind, try index(words, line, "raw \(name)", Self.rowLimit))
        words = words.dropFirst()
      } else {
        throw TraceText.error(line, "'\(name)' is neither a region nor a table")
      }
    }
    guard words.first?.bare == "offset" else {
      throw TraceText.error(line, "'raw' wants 'offset', a number, and bytes")
    }
    let offset = try index(words.dropFirst(), line, "offset", byteLimit)
    var bytes: [UInt8] = []
    for word in words.dropFirst(2) {
      guard let text = word.bare else {
        throw TraceText.error(line, "'raw' wants bytes as hexadecimal digits")
      }
      bytes += try TextValues.bytes(text, line: line)
    }
    overrides.append((line, .bytes(bytes, structure, offset: offset)))
  }

  private static func region(named name: String) -> RegionKind? {
    RegionKind.allCases.first { "\($0)" == name }
  }
}
