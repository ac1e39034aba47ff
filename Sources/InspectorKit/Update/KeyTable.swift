/// One row of the key table.
public struct KeyBinding: Sendable {
  /// Any of these.
  public let keys: [Key]
  /// One or two words for the footer; empty if it never stands there.
  public let label: String
  /// One line for the help and the manual.
  public let help: String
  /// What it does.
  public let command: Command
  /// The heading it stands under.
  public let group: Group
  /// Low numbers stay longest in a narrow footer.
  let footerRank: Int

  /// The headings of the help.
  public enum Group: String, CaseIterable, Sendable {
    case screens = "Screens"
    case moving = "Moving"
    case finding = "Searching and sorting"
    case time = "Time"
    case program = "Program"
  }

  init(
    _ group: Group,
    _ keys: [Key],
    _ command: Command,
    _ help: String,
    label: String = "",
    footer: Int = 99
  ) {
    self.group = group
    self.keys = keys
    self.command = command
    self.help = help
    self.label = label
    footerRank = footer
  }

  /// The keys as a help screen shows them.
  public var keyNames: String { keys.map(\.name).joined(separator: " ") }
}

/// Every key, once: the help screen, the footer, the manual and the update function read this table.
public enum KeyTable {
  /// All bindings, in the order of the help.
  public static let all: [KeyBinding] = screens + moving + finding + time + program

  /// What a key does.
  public static func command(for key: Key) -> Command? { byKey[key] }

  /// The bindings with a footer label, the most important first.
  static let footer: [KeyBinding] =
    all.filter { !$0.label.isEmpty }.sorted { $0.footerRank < $1.footerRank }

  /// The key that opens a screen, for the view bar.
  static func key(for screen: Screen) -> Key? {
    all.first { $0.command == .show(screen) }?.keys.first
  }

  private static let byKey: [Key: Command] = {
    var table: [Key: Command] = [:]
    for binding in all {
      for key in binding.keys where table[key] == nil { table[key] = binding.command }
    }
    return table
  }()

  private static let letters: [(Screen, Character)] = [
    (.sites, "s"), (.signals, "i"), (.subscriptions, "u"), (.graph, "r"), (.events, "e"),
    (.findings, "f"),
  ]

  private static let screens: [KeyBinding] =
    letters.enumerated().map { index, entry in
      KeyBinding(
        .screens,
        [.character(entry.1), .character(Character("\(index + 1)"))],
        .show(entry.0),
        "\(entry.0.title): \(entry.0.meaning)"
      )
    } + [
      KeyBinding(.screens, [.tab], .nextScreen, "the next screen of the bar"),
      KeyBinding(.screens, [.backTab], .previousScreen, "the screen before"),
    ]

  private static let moving: [KeyBinding] = [
    KeyBinding(.moving, [.down, .character("j")], .move(1), "one row down"),
    KeyBinding(.moving, [.up, .character("k")], .move(-1), "one row up"),
    KeyBinding(.moving, [.pageDown, .control("f")], .scroll(2), "one page down"),
    KeyBinding(.moving, [.pageUp, .control("b")], .scroll(-2), "one page up"),
    KeyBinding(.moving, [.control("d")], .scroll(1), "half a page down"),
    KeyBinding(.moving, [.control("u")], .scroll(-1), "half a page up"),
    KeyBinding(.moving, [.character("g")], .first, "the first row"),
    KeyBinding(.moving, [.character("G")], .last, "the last row"),
    KeyBinding(
      .moving,
      [.enter, .right],
      .open,
      "open what the row stands for",
      label: "open",
      footer: 2
    ),
    KeyBinding(
      .moving,
      [.character("d")],
      .show(.detail),
      "everything known about the selected row",
      label: "detail",
      footer: 3
    ),
    KeyBinding(.moving, [.escape, .left, .backspace], .back, "back to where you came from"),
  ]

  private static let finding: [KeyBinding] = [
    KeyBinding(
      .finding,
      [.character("/")],
      .search,
      "search in the rows",
      label: "search",
      footer: 4
    ),
    KeyBinding(.finding, [.character("n")], .nextMatch, "the next match"),
    KeyBinding(.finding, [.character("N")], .previousMatch, "the match before"),
    KeyBinding(
      .finding,
      [.character("\\")],
      .filter,
      "show only rows with this text; several with |, all but these with a leading !",
      label: "filter",
      footer: 5
    ),
    KeyBinding(
      .finding,
      [.character(">")],
      .sortRight,
      "sort by the column to the right",
      label: "sort",
      footer: 6
    ),
    KeyBinding(.finding, [.character("<")], .sortLeft, "sort by the column to the left"),
    KeyBinding(.finding, [.character("I")], .invert, "turn the order round"),
  ]

  private static let time: [KeyBinding] = [
    KeyBinding(
      .time,
      [.character(" ")],
      .pause,
      "pause; once more goes on",
      label: "pause",
      footer: 3
    ),
    KeyBinding(
      .time,
      [.character(".")],
      .nextEvent,
      "one event forwards",
      label: "later",
      footer: 8
    ),
    KeyBinding(
      .time,
      [.character(",")],
      .previousEvent,
      "one event back; pauses",
      label: "earlier",
      footer: 7
    ),
    KeyBinding(.time, [.character("]")], .nextChange, "to the next subscription or disposal"),
    KeyBinding(
      .time,
      [.character("[")],
      .previousChange,
      "to the subscription or disposal before; pauses"
    ),
    KeyBinding(.time, [.home], .begin, "to the beginning of the recording; pauses"),
    KeyBinding(.time, [.end], .end, "to the end: live again if the program runs"),
    KeyBinding(
      .time,
      [.character("t")],
      .goTo,
      "to the moment of the selected event, or of a finding's first evidence; pauses"
    ),
    KeyBinding(
      .time,
      [.character("m")],
      .bookmark,
      "bookmark this moment",
      label: "mark",
      footer: 9
    ),
    KeyBinding(.time, [.character("b")], .previousBookmark, "to the bookmark or mark before"),
    KeyBinding(.time, [.character("B")], .nextBookmark, "to the next bookmark or mark"),
  ]

  private static let program: [KeyBinding] = [
    KeyBinding(
      .program,
      [.character("?"), .function(1)],
      .show(.help),
      "this help",
      label: "help",
      footer: 0
    ),
    KeyBinding(
      .program,
      [.character("P")],
      .save,
      "save the screen as a text file",
      label: "save",
      footer: 10
    ),
    KeyBinding(.program, [.control("l")], .redraw, "draw the screen anew"),
    KeyBinding(
      .program,
      [.character("q"), .function(10)],
      .quit,
      "back, and from the first screen quit",
      label: "quit",
      footer: 1
    ),
    KeyBinding(.program, [.control("c")], .quitNow, "quit at once"),
  ]
}
