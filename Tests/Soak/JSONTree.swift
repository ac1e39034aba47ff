/// A JSON value as rxtop writes it.
indirect enum JSONTree: Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONTree])
  case object([(name: String, value: JSONTree)])

  static func == (left: JSONTree, right: JSONTree) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let two)): one == two
    case (.number(let one), .number(let two)): one == two
    case (.text(let one), .text(let two)): one == two
    case (.list(let one), .list(let two)): one == two
    case (.object(let one), .object(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
    default: false
    }
  }

  /// The value of a member, or nil if there is no such member.
  subscript(_ name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Parses the output of rxtop, which is known to be valid JSON.
  init(_ text: String) {
    var parser = Parser(bytes: Array(text.utf8))
    self = parser.value()
  }

  private struct Parser {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func next() -> UInt8 {
      while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
      return place < bytes.count ? bytes[place] : 0
    }

    mutating func value() -> JSONTree {
      switch next() {
      case UInt8(ascii: "{"): return object()
      case UInt8(ascii: "["): return list()
      case UInt8(ascii: "\""): return .text(string())
      default:
        let start = place
        while place < bytes.count, !Self.ends(bytes[place]) { place += 1 }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return Double(word).map { .number($0) } ?? .text(word)
        }
      }
    }

    private static func ends(_ byte: UInt8) -> Bool {
      byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
        || byte == UInt8(ascii: "}")
    }

    private mutating func object() -> JSONTree {
      var members: [(name: String, value: JSONTree)] = []
      place += 1
      while place < bytes.count, next() != UInt8(ascii: "}") {
        let name = string()
        if next() == UInt8(ascii: ":") { place += 1 }
        members.append((name, value()))
        if next() == UInt8(ascii: ",") { place += 1 }
      }
      place += 1
      return .object(members)
    }

    private mutating func list() -> JSONTree {
      var values: [JSONTree] = []
      place += 1
      while place < bytes.count, next() != UInt8(ascii: "]") {
        values.append(value())
        if next() == UInt8(ascii: ",") { place += 1 }
      }
      place += 1
      return .list(values)
    }

    /// The text between the quotes, in which escapes stay as they are, because texts are only
    /// compared.
    private mutating func string() -> String {
      place += 1
      let start = place
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      let text = String(decoding: bytes[start..<min(place, bytes.count)], as: UTF8.self)
      place += 1
      return text
    }
  }
}
