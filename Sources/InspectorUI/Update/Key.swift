/// A key that a terminal reports.
public enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter, in lower case, that is pressed together with Control.
  case control(Character)
  case function(Int)
  case up, down, left, right, home, end, pageUp, pageDown
  case enter, escape, backspace, tab, backTab, delete

  /// The name that help screens show.
  public var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let character): "^" + character.uppercased()
    case .function(let number): "F\(number)"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter: "Enter"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .delete: "Del"
    }
  }
}

extension Key {
  /// Parses a script of keys.
  ///
  /// A character stands for itself, except that `<` is written `<lt>`. Other keys are written
  /// `<Enter>`, `<Esc>`, `<F1>`, `<^C>`, `<Space>`, `<Up>` and so on. Unknown names are skipped.
  public static func script(_ text: String) -> [Key] {
    var keys: [Key] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), end > rest.index(after: rest.startIndex)
      {
        let name = rest[rest.index(after: rest.startIndex)..<end].lowercased()
        if let key = named[name] { keys.append(key) }
        rest = rest[rest.index(after: end)...]
      } else {
        keys.append(.character(first))
        rest = rest.dropFirst()
      }
    }
    return keys
  }

  private static let named: [String: Key] = {
    var table: [String: Key] = [
      "lt": .character("<"), "gt": .character(">"), "space": .character(" "),
    ]
    let plain: [Key] = [
      .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .escape, .backspace, .tab,
      .backTab, .delete,
    ]
    let functions = (1...12).map { Key.function($0) }
    let controls = "abcdefghijklmnopqrstuvwxyz".map { Key.control($0) }
    for key in plain + functions + controls { table[key.name.lowercased()] = key }
    return table
  }()
}
