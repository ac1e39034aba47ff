/// Reads a record from its line: `+DELTA NAME argument=value …`, or
/// `+DELTA kind N id=… argument=…`.
enum RecordText {
  /// The words of the record and its continuations.
  static func words(
    _ words: ArraySlice<TextWord>,
    line: Int,
    string: ([UInt8]) -> UInt64
  ) throws(TraceError) -> [UInt64] {
    guard let stamp = words.first?.bare, stamp.hasPrefix("+"),
      let name = words.dropFirst().first?.bare
    else {
      throw TraceText.error(
        line,
        "a record was expected, as in '+5 next subscription=3 sequence=1'"
      )
    }
    let delta = try TextValues.number(
      String(stamp.dropFirst()),
      limit: 1 << 48 - 1,
      line: line,
      of: "a record's time"
    )
    let rest = words.dropFirst(2)
    if name == "kind" { return try raw(rest, delta, line) }
    guard let spec = RecordSpec.all.first(where: { $0.name == name }) else {
      throw TraceText.error(
        line,
        "'\(name)' is not a record; one of the names in TraceFormat §5, or 'kind N', was expected"
      )
    }
    let arguments = [
      (spec.identifier.type == .none ? "id" : spec.identifier.name, spec.identifier.type),
      (spec.argument.type == .none ? "argument" : spec.argument.name, spec.argument.type),
    ]
    let all = arguments + spec.more.map { ($0.name, $0.type) }
    var values = [UInt64](repeating: 0, count: all.count)
    for word in rest {
      guard let index = all.firstIndex(where: { $0.0 == word.key }) else {
        let names = all.map(\.0).joined(separator: ", ")
        throw TraceText.error(
          line,
          "'\(word.key ?? "")' is not an argument of '\(name)'; one of \(names) was expected"
        )
      }
      let limit: UInt64 = index < 2 ? 0xFFFF_FFFF : index % 2 == 0 ? 1 << 48 - 1 : .max
      values[index] = try value(word, all[index], limit, line, string)
    }
    var result = [
      Packing.head(delta: delta, kind: spec.number),
      Packing.pair(high: UInt32(values[1]), low: UInt32(values[0])),
    ]
    for index in stride(from: 2, to: values.count, by: 2) {
      result.append(Packing.head(delta: values[index], kind: RecordKind.continuation.rawValue))
      result.append(index + 1 < values.count ? values[index + 1] : 0)
    }
    return result
  }

  private static func raw(
    _ words: ArraySlice<TextWord>,
    _ delta: UInt64,
    _ line: Int
  ) throws(TraceError) -> [UInt64] {
    guard let text = words.first?.bare else {
      throw TraceText.error(line, "'kind' wants its number")
    }
    let kind = try TextValues.number(text, limit: 0xFFFF, line: line, of: "a kind")
    var values: [String: UInt64] = [:]
    for word in words.dropFirst() {
      guard let key = word.key, ["id", "argument"].contains(key), case .bare(let text) = word.value
      else {
        throw TraceText.error(
          line,
          "a record by the number of its kind has 'id' and 'argument' only"
        )
      }
      values[key] = try TextValues.number(text, limit: 0xFFFF_FFFF, line: line, of: key)
    }
    return [
      Packing.head(delta: delta, kind: UInt16(kind)),
      Packing.pair(high: UInt32(values["argument"] ?? 0), low: UInt32(values["id"] ?? 0)),
    ]
  }

  private static func value(
    _ word: TextWord,
    _ argument: (String, ArgumentType),
    _ limit: UInt64,
    _ line: Int,
    _ string: ([UInt8]) -> UInt64
  ) throws(TraceError) -> UInt64 {
    switch word.value {
    case .bare(let text):
      return try TextValues.number(
        text,
        names: TextValues.names(of: argument.1),
        limit: limit,
        line: line,
        of: argument.0
      )
    case .quoted(let bytes):
      guard argument.1 == .string else {
        throw TraceText.error(line, "\(argument.0) is a number, not a text")
      }
      return string(bytes)
    }
  }
}
