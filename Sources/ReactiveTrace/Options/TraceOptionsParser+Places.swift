/// Reads `events:Checkout.swift:42`, the level of a place.
extension TraceOptionsParser {
  static func place(_ word: String, _ text: String) throws(TraceError) -> TraceOptions.Place {
    let level = try placeLevel(word, text)
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let last = names[names.count - 1]
    guard !last.isEmpty else {
      throw mistake(
        "'\(quoted("\(word):\(text)"))' names no place",
        "expected a module, a file (Checkout.swift or Shop/Checkout.swift) or a line (Checkout.swift:42) after '\(word):'"
      )
    }
    guard names.count <= 2, names[0] != "" else {
      throw mistake(
        "'\(quoted(text))' is a path, and lines are known by module and file",
        "expected '\(quoted(last))', or the same after the name of its module and '/'"
      )
    }
    var place = TraceOptions.Place(level)
    if names.count == 2 || last.contains(".") {
      guard last.contains(".") else {
        throw mistake(
          "'\(quoted(text))' names no file",
          "expected a name such as '\(quoted(last)).swift' after '/'"
        )
      }
      place.file = last
    }
    if names.count == 2 || place.file == nil { place.module = try module(names[0]) }
    if parts.count == 2 { place.line = try line(parts[1], of: place, text) }
    return place
  }

  private static func placeLevel(_ word: String, _ text: String) throws(TraceError) -> TraceLevel {
    switch word {
    case "graph": return .graph
    case "events": return .events
    case "values": return .values
    case "off":
      throw mistake(
        "'off' is not a level of a place, as lifetimes are recorded everywhere",
        "write 'graph:\(quoted(text))', which records no event there"
      )
    default:
      let near = nearest(word, in: ["graph", "events", "values"])
      let hint = near.map { " (did you mean '\($0)'?)" } ?? ""
      throw mistake(
        "'\(quoted(word))' is not a level\(hint)",
        "expected graph, events or values before ':\(quoted(text))'"
      )
    }
  }

  /// The name of a module as the compiler spells it in `#fileID`.
  private static func module(_ name: String) throws(TraceError) -> String {
    let isName = name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    guard isName else {
      let spelled = String(name.map { $0 == "_" || $0.isLetter || $0.isNumber ? $0 : "_" })
      throw mistake(
        "'\(quoted(name))' is not the name of a module",
        "expected letters, digits and '_', as in '\(quoted(spelled))', or a file with its ending, as Checkout.swift"
      )
    }
    return name
  }

  private static func line(
    _ digits: Substring,
    of place: TraceOptions.Place,
    _ text: String
  ) throws(TraceError) -> UInt32 {
    guard place.file != nil else {
      throw mistake(
        "'\(quoted(text))' is a line without a file",
        "expected a file before the line, as in Checkout.swift:42"
      )
    }
    guard let line = UInt32(digits), line > 0, digits.first != "+" else {
      throw mistake(
        "'\(quoted(text))' has no line number after ':'",
        "expected one from 1 on, as in Checkout.swift:42"
      )
    }
    return line
  }
}
