import TraceModel

/// The table of all keys, from which the help, the footer, the manual page and the handling of keys
/// are derived.
public enum KeyTable {
  /// All bindings, in the order of the help.
  public static let all: [KeyBinding] = screens + moving + finding + time + drawing + program

  /// The command that a key triggers; nil if there is none.
  public static func command(for key: Key) -> Command? { byKey[key] }

  /// The bindings that the footer of a screen shows, the most important first.
  static func footer(of screen: Screen) -> [KeyBinding] {
    labelled.filter { $0.footerScreens?.contains(screen) ?? true }
  }

  private static let labelled: [KeyBinding] =
    all.filter { !$0.label.isEmpty }.sorted { $0.footerRank < $1.footerRank }

  /// The key that opens a screen, as the view bar shows it.
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
    (.map, "M"), (.sites, "s"), (.signals, "i"), (.subscriptions, "u"), (.graph, "r"),
    (.events, "e"),
    (.findings, "f"), (.marbles, "a"), (.queues, "h"), (.diff, "c"),
  ]

  private static let screens: [KeyBinding] =
    letters.enumerated().map { index, entry in
      KeyBinding(
        .screens,
        [.character(entry.1)]
          + (index < 9 ? [.character(Character("\(index + 1)"))] : []),
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
    KeyBinding(.moving, [.character("g"), .home], .first, "the first row"),
    KeyBinding(.moving, [.character("G"), .end], .last, "the last row"),
    KeyBinding(.moving, [.enter], .open, "open what the row stands for", label: "open", footer: 2),
    KeyBinding(
      .moving,
      [.right],
      .stepRight,
      "open, as Enter does; on Marbles, cursor right; on Map, to what the node feeds"
    ),
    KeyBinding(
      .moving,
      [.character("d")],
      .show(.detail),
      "everything known about the selected row",
      label: "detail",
      footer: 3
    ),
    KeyBinding(.moving, [.escape, .backspace], .back, "back to where you came from"),
    KeyBinding(
      .moving,
      [.left],
      .stepLeft,
      "back, as Esc does; on Marbles, cursor left; on Map, to what feeds the node"
    ),
    KeyBinding(.moving, [.character("{")], .historyBack, "to the screen shown before this one"),
    KeyBinding(.moving, [.character("}")], .historyForward, "forward again"),
  ]

  private static let finding: [KeyBinding] = [
    KeyBinding(
      .finding,
      [.character("/"), .function(3)],
      .search,
      "search in the rows",
      label: "search",
      footer: 4
    ),
    KeyBinding(
      .finding,
      [.character("n")],
      .nextMatch,
      "the next match; without a search, the next line that opens"
    ),
    KeyBinding(.finding, [.character("N")], .previousMatch, "the match or line before"),
    KeyBinding(
      .finding,
      [.character("\\"), .function(4)],
      .filter,
      "show only rows with this text, or like live>10; | is or, & is and, a leading ! not",
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
    KeyBinding(.finding, [.character("I")], .invert, "reverse the order"),
    KeyBinding(.finding, [.function(6)], .sortBy, "sort by a column by its name"),
    KeyBinding(
      .finding,
      [.character("F")],
      .freeze,
      "keep the order of rows while their figures change; press again to stop"
    ),
    KeyBinding(
      .finding,
      [.character("x")],
      .tag,
      "tag the row, for Marbles and lanes; press again to remove the tag"
    ),
    KeyBinding(.finding, [.character("X")], .tagAlike, "tag all rows of the same line of code"),
    KeyBinding(.finding, [.character("U")], .untag, "remove all tags"),
    KeyBinding(
      .finding,
      [.character("z")],
      .unfold,
      "on Map, the lines of a chain or a file, or one node for all; on Detail, all functions of a backtrace, or the program's own alone",
      label: "unfold",
      footer: 3,
      on: [.map]
    ),
    KeyBinding(
      .finding,
      [.character("v")],
      .focus,
      "on Map, only what reaches the node or is reached from it; press again for the whole program",
      label: "focus",
      footer: 3,
      on: [.map]
    ),
    KeyBinding(
      .finding,
      [.character("E")],
      .showEnded,
      "on Map, draw what has ended, too; press again for what lives",
      label: "ended",
      footer: 8,
      on: [.map]
    ),
  ]

  private static let time: [KeyBinding] = [
    KeyBinding(
      .time,
      [.character(" ")],
      .pause,
      "pause; press again to go on",
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
      "to the previous subscription or disposal; pauses"
    ),
    KeyBinding(
      .time,
      [.character("w")],
      .seek(.finding, true),
      "to the next event that a finding rests on; pauses"
    ),
    KeyBinding(
      .time,
      [.character("W")],
      .seek(.finding, false),
      "to the previous event that a finding rests on; pauses"
    ),
    KeyBinding(
      .time,
      [.character(")")],
      .seek(.error, true),
      "to the next failure; :next-problem takes failures, stalls and losses alike"
    ),
    KeyBinding(.time, [.character("(")], .seek(.error, false), "to the previous failure; pauses"),
    KeyBinding(
      .time,
      [.character("Z")],
      .seek(.stall, true),
      "to the next end of work that had waited or run for 100 ms or more"
    ),
    KeyBinding(
      .time,
      [.character("A")],
      .seek(.stall, false),
      "to the previous end of such work; pauses"
    ),
    KeyBinding(
      .time,
      [.character("l")],
      .seek(.loss, true),
      "to the next place where records were lost"
    ),
    KeyBinding(
      .time,
      [.character("L")],
      .seek(.loss, false),
      "to the previous place where records were lost; pauses"
    ),
    KeyBinding(
      .time,
      [.character("p")],
      .play,
      "play the recording from here, at its speed; press again to stop"
    ),
    KeyBinding(.time, [.character("+")], .faster, "play faster, up to 100 times"),
    KeyBinding(.time, [.character("-")], .slower, "play slower, down to a tenth"),
    KeyBinding(.time, [.character("^")], .begin, "to the beginning of the recording; pauses"),
    KeyBinding(.time, [.character("$")], .end, "to the end: live again if the program runs"),
    KeyBinding(
      .time,
      [.character("t")],
      .goTo,
      "jump to the row's time, on Events and Findings; pauses",
      label: "jump",
      footer: 6,
      on: [.events, .findings]
    ),
    KeyBinding(
      .time,
      [.character("T")],
      .goToTime,
      "go to a time, an event or a mark: 12.5s, -3s, 1:12.258, #8203, a mark's name"
    ),
    KeyBinding(
      .time,
      [.character("C")],
      .followCause,
      "follow what led to the selected event and what it led to",
      label: "causes",
      footer: 3,
      on: [.events]
    ),
    KeyBinding(
      .time,
      [.character("D")],
      .compareFromHere,
      "make this moment the one that Diff compares with",
      label: "from here",
      footer: 3,
      on: [.diff]
    ),
    KeyBinding(
      .time,
      [.character("m")],
      .bookmark,
      "bookmark this moment",
      label: "bookmark",
      footer: 9
    ),
    KeyBinding(.time, [.character("b")], .previousBookmark, "to the previous bookmark or mark"),
    KeyBinding(.time, [.character("B")], .nextBookmark, "to the next bookmark or mark"),
  ]

  private static let drawing: [KeyBinding] = [
    KeyBinding(
      .drawing,
      [.character("=")],
      .zoomIn,
      "a shorter stretch of time, around the cursor; on Map, larger nodes, or lines of code instead of files and modules",
      label: "zoom",
      footer: 3,
      on: [.marbles]
    ),
    KeyBinding(
      .drawing,
      [.character("_")],
      .zoomOut,
      "a longer stretch; on Map, smaller nodes, then one for each file, then for each module"
    ),
    KeyBinding(
      .drawing,
      [.character("0")],
      .zoomAll,
      "the whole recording; on Map, nodes as large as fit the screen"
    ),
    KeyBinding(
      .drawing,
      [.character("V"), .function(5)],
      .lanes,
      "on Graph, lanes instead of the tree, and back",
      label: "lanes",
      footer: 4,
      on: [.graph]
    ),
  ]

  private static let program: [KeyBinding] = [
    KeyBinding(
      .program,
      [.character("K")],
      .preview,
      "details of the selected row, below lists and the map; press again to hide them"
    ),
    KeyBinding(
      .program,
      [.character("?"), .function(1)],
      .show(.help),
      "help with this screen; again for all keys, columns and signs",
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
    KeyBinding(
      .program,
      [.character("o")],
      .edit,
      "open the line of source in $VISUAL or $EDITOR",
      label: "source",
      footer: 6,
      on: [.map, .sites, .signals, .subscriptions, .findings, .detail]
    ),
    KeyBinding(.program, [.character(":")], .palette, "a command by its name; Tab completes it"),
    KeyBinding(
      .program,
      [.function(2)],
      .writeConfig,
      "save screen, filter and order as settings for the next time"
    ),
    KeyBinding(.program, [.control("l")], .redraw, "redraw the screen"),
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
