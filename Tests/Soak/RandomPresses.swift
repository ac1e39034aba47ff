import InspectorUI

/// Random presses, like those of a user who does not know rxtop: keys, commands, filters, the
/// mouse, resizing, and waiting.
///
/// The same seed gives the same presses.
struct RandomPresses {
  private(set) var size: Size
  private var generator: SeededGenerator
  /// The rest of a text that is being typed, one key at a time.
  private var typing: [Key] = []

  init(seed: UInt64, part: Int) {
    generator = SeededGenerator(seed: seed, part: part)
    size = Self.sizes[0]
    size = generator.one(of: Self.sizes)
  }

  // MARK: What is pressed

  private static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 40, rows: 10),
    Size(columns: 100, rows: 30),
  ]
  private static let keys = KeyTable.all.flatMap(\.keys).filter {
    KeyTable.command(for: $0) != .quitNow
  }
  private static let commands = KeyTable.all.map(\.command.name).filter { $0 != "quit" }
  /// Keys that do something different on each screen; they are pressed more often than others.
  private static let frequent: [Key] = [
    .enter, .down, .up, .pageDown, .pageUp, .left, .right, .escape, .backspace, .tab,
  ]
  private static let words = [
    "subscribe", "map", "Pane.swift", "#1", "#12", "#8203", "0", "-1", "1e400", "nan",
    "99999999999999999999", "end",
    "live>0", "live>=1k", "state=active & last>5s", "!events=?", "a|b", "|", "&", "!", "~", ">",
    "age<1ms", "none=1",
    "-3s", "2.5s", "1:12.258", "5:99:99", "+1h", "1e9s", "round 1", "é", "👩‍👩‍👧", "\u{200B}",
    "\u{1B}[2J", "%n",
  ]

  /// The next message, or nil if time is to pass.
  mutating func next() -> TerminalMessage? {
    if !typing.isEmpty { return .key(typing.removeFirst()) }
    switch generator.below(100) {
    case 0..<62: return .key(generator.one(of: Self.keys))
    case 62..<80: return .key(generator.one(of: Self.frequent))
    case 80..<85: return nil
    case 85..<91: return .mouse(click())
    case 91..<93:
      size = otherSize()
      return .resized(size)
    case 93..<98:
      type()
      return .key(typing.removeFirst())
    default: return .key(strayKey())
    }
  }

  private mutating func click() -> MouseAction {
    let kinds: [MouseAction.Kind] = [.press, .press, .press, .doublePress, .wheelUp, .wheelDown]
    // The position may be slightly outside the screen, as terminals sometimes report it.
    return MouseAction(
      generator.one(of: kinds),
      row: generator.below(size.rows + 2),
      column: generator.below(size.columns + 2)
    )
  }

  private mutating func otherSize() -> Size {
    switch generator.below(4) {
    case 0: Size(columns: generator.below(260), rows: generator.below(90))
    case 1: Size(columns: 36 + generator.below(10), rows: 7 + generator.below(8))
    default: generator.one(of: Self.sizes)
    }
  }

  private mutating func type() {
    var text: String
    switch generator.below(8) {
    case 0: text = "/" + generator.one(of: Self.words)
    case 1, 2: text = "\\" + generator.one(of: Self.words)
    case 3: text = "\\"
    case 4: text = ":" + generator.one(of: Self.commands)
    case 5: text = ":goto " + generator.one(of: Self.words)
    default:
      let command = generator.one(of: ["sort", "goto", "filter", "search", "set", "s", ""])
      text =
        ":\(command) \(generator.one(of: Self.words)) \(generator.one(of: ["", "up", "down", "on"]))"
    }
    typing = text.map(Key.character)
    let isCleared = text.hasPrefix("\\")
    if isCleared { typing.insert(.control("u"), at: 1) }
    if generator.below(4) == 0 { typing.append(.tab) }
    typing.append(generator.below(6) == 0 ? .escape : .enter)
  }

  private mutating func strayKey() -> Key {
    switch generator.below(4) {
    case 0: .function(generator.below(14))
    case 1: .control(generator.one(of: Array("abdefghijklmnoprstuvwxyz")))
    case 2: .character(generator.one(of: Array("äß漢🙂\u{0}\u{7F}\u{301}")))
    default: .character(Character(UnicodeScalar(UInt8(32 + generator.below(95)))))
    }
  }
}
