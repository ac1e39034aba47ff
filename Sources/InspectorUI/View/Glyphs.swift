/// The characters with which views draw.
///
/// There are two tables: one for UTF-8 terminals, and one for terminals that show only ASCII
/// (`LC_ALL=C`). `text(_:)` replaces characters that a terminal of the table cannot show.
public struct Glyphs: Hashable, Sendable {
  let ellipsis: String
  let ascending: String
  let descending: String
  let branch: String
  let lastBranch: String
  let trunk: String
  let blank: String
  let rule: String
  let pause: String
  let play: String
  let live: String
  let hop: String
  let cut: String
  let times: String
  let dash: String
  let above: String
  let below: String
  let pointer: String
  let tag: String
  let breadcrumb: String
  let tick: String
  let cursor: String
  let bar: String
  let marbles: Marbles
  let box: Box
  private let isASCII: Bool

  /// The pieces of the border of a box.
  struct Box: Hashable, Sendable {
    let topLeft: String
    let topRight: String
    let bottomLeft: String
    let bottomRight: String
    let horizontal: String
    let vertical: String
    /// The left edge of a box whose events come from another scheduler.
    let border: String
    /// A piece of the border between two schedulers, and the piece at which a connection crosses
    /// the border.
    let lane: String
    let crossedLane: String
  }

  /// The signs in the cells of marbles.
  struct Marbles: Hashable, Sendable {
    let value: String
    let subscribed: String
    let disposed: String
    let completed: String
    let failed: String
    let refused: String
    let waiting: String
    let idle: String
    let quiet: String
    let busy: String
    /// Eight signs for groups of values, from few to many.
    let densities: [String]
  }

  /// Lines, arrows and dots from Unicode blocks that every terminal font contains.
  public static let utf8 = Glyphs(
    ellipsis: "…",
    ascending: "▲",
    descending: "▼",
    branch: "├─ ",
    lastBranch: "└─ ",
    trunk: "│  ",
    blank: "   ",
    rule: "─",
    pause: "‖",
    play: "▶",
    live: "●",
    hop: "⇢",
    cut: "↻",
    times: "×",
    dash: "–",
    above: "↑",
    below: "↓",
    pointer: "▸",
    tag: "◆",
    breadcrumb: "›",
    tick: "╷",
    cursor: "│",
    bar: "█",
    marbles: Marbles(
      value: "●",
      subscribed: "┬",
      disposed: "┴",
      completed: "┤",
      failed: "✖",
      refused: "✕",
      waiting: "›",
      idle: "─",
      quiet: "·",
      busy: "═",
      densities: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    ),
    box: Box(
      topLeft: "╭",
      topRight: "╮",
      bottomLeft: "╰",
      bottomRight: "╯",
      horizontal: "─",
      vertical: "│",
      border: "║",
      lane: "┊",
      crossedLane: "╫"
    ),
    isASCII: false
  )

  /// ASCII characters only.
  public static let ascii = Glyphs(
    ellipsis: "~",
    ascending: "^",
    descending: "v",
    branch: "|- ",
    lastBranch: "`- ",
    trunk: "|  ",
    blank: "   ",
    rule: "-",
    pause: "=",
    play: ">",
    live: "*",
    hop: "~>",
    cut: "@",
    times: "x",
    dash: "-",
    above: "^",
    below: "v",
    pointer: ">",
    tag: "+",
    breadcrumb: ">",
    tick: "|",
    cursor: "|",
    bar: "#",
    marbles: Marbles(
      value: "o",
      subscribed: "^",
      disposed: "!",
      completed: "|",
      failed: "#",
      refused: "x",
      waiting: ">",
      idle: "-",
      quiet: ".",
      busy: "=",
      densities: [":", "-", "=", "+", "*", "%", "@", "M"]
    ),
    box: Box(
      topLeft: "+",
      topRight: "+",
      bottomLeft: "+",
      bottomRight: "+",
      horizontal: "-",
      vertical: "|",
      border: "#",
      lane: ":",
      crossedLane: "#"
    ),
    isASCII: true
  )

  /// The text; the ASCII table replaces each character outside ASCII by a similar one or by `?`.
  func text(_ text: String) -> String {
    guard isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.map { $0.isASCII ? String($0) : Self.substitutes[$0] ?? "?" }.joined()
  }

  private static let substitutes: [Character: String] = [
    "–": "-", "—": "-", "×": "x", "…": "~", "‘": "'", "’": "'", "“": "\"", "”": "\"", "µ": "u",
    "≥": ">", "≤": "<", "→": ">", "›": ">", "·": ".", "⇢": "~>", "№": "no ", "▁": "_", "▂": ".",
    "▃": ":",
    "▄": "-", "▅": "=", "▆": "+",
    "▇": "*", "█": "#",
  ]
}
