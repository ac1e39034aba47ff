import TraceFindings
import TraceModel

/// The screen Help: a page about one screen, or about everything.
///
/// Both pages are generated from the key table and the columns of the tables.
enum HelpView {
  // MARK: The page of a screen

  /// The page about the screen from which the help was opened: what it shows, its keys and its
  /// columns.
  ///
  /// The page fits a terminal of 80 columns and 24 rows.
  static func page(_ model: Model) -> [DocumentLine] {
    let screen = about(model)
    let width = model.size.columns
    var lines = Fitting.wrap("\(screen.title): \(screen.meaning)", width)
      .map { DocumentLine($0, role: .strong) }
    lines.append(DocumentLine())
    lines += grid(of: screen, width: width, model.glyphs)
    if screen == .map {
      lines.append(.heading("Signs"))
      for (sign, meaning) in mapSigns(model.glyphs) {
        lines.append(
          DocumentLine([
            (padded("  " + sign, 14), .key),
            (Fitting.head(meaning, max(8, width - 14), model.glyphs), .text),
          ])
        )
      }
    }
    guard let table = screen.table else { return lines }
    lines.append(.heading("Columns"))
    let titles = table.shownTitles(model)
    let columns = table.columnHelp.map { column in
      (name: column.titles.filter(titles.contains).joined(separator: ", "), column.meaning)
    }.filter { !$0.name.isEmpty }
    let indent = (columns.map { CellWidth.of($0.name) }.max() ?? 0) + 4
    let room = max(8, width - indent)
    // If the page would not fit the screen, long meanings are cut.
    let rows = columns.map { Fitting.wrap($0.1, room).count }.reduce(0, +)
    let isCut = lines.count + rows > model.listHeight
    return lines
      + columns.flatMap { name, meaning in
        let texts =
          isCut ? [Fitting.head(meaning, room, model.glyphs)] : Fitting.wrap(meaning, room)
        return texts.enumerated().map { index, text in
          DocumentLine([(padded(index == 0 ? "  " + name : "", indent), .key), (text, .text)])
        }
      }
  }

  /// The signs on the map, except names and lines of code, with their meanings.
  private static func mapSigns(_ glyphs: Glyphs) -> [(String, String)] {
    [
      ("\(glyphs.times)28", "live subscriptions of the line; one if there is no number"),
      ("map +2", "two more lines of code are in the node; z unfolds it"),
      ("+3", "three more live than at the latest mark"),
      (
        "\(glyphs.box.horizontal)12\(glyphs.play)",
        "twelve events passed lately; shown beside the selected node"
      ),
      (glyphs.marbles.value, "something goes over the connection now"),
      (
        "\(glyphs.box.border) \(glyphs.hop) main",
        "events come from another queue, and continue on main"
      ),
      ("silent 9 s", "it is live, but has had no event for this long"),
    ]
  }

  /// The screen from which the help was opened.
  static func about(_ model: Model) -> Screen {
    model.path.last { $0.screen != .help }?.screen ?? .map
  }

  private static func commands(of screen: Screen) -> [Command] {
    let moving: [Command] = [.open, .show(.detail), .back, .search]
    let table = moving + [.nextMatch, .filter, .sortRight, .invert]
    let time: [Command] = [.pause, .nextEvent, .seek(.error, true)]
    return
      switch screen
    {
    case .map:
      moving + [.unfold, .focus, .showEnded, .zoomIn, .zoomAll, .edit] + time + [.palette, .save]
    case .sites: table + [.tag, .edit] + time + [.palette]
    case .signals: table + [.tag, .tagAlike, .edit, .pause, .nextEvent, .palette]
    case .subscriptions: table + [.tag, .tagAlike, .edit, .pause, .nextEvent, .palette]
    case .events:
      moving + [.nextMatch, .filter, .followCause, .goTo, .goToTime, .freeze] + time + [.palette]
    case .findings: table + [.goTo, .edit, .seek(.finding, true), .nextEvent, .palette, .save]
    case .queues: table + [.seek(.stall, true)] + time + [.palette, .save]
    case .diff: table + [.compareFromHere, .bookmark, .goToTime, .nextEvent, .palette, .save]
    case .graph: moving + [.nextMatch, .lanes, .tag, .edit] + time + [.palette, .save]
    case .marbles:
      moving + [.zoomIn, .zoomOut, .zoomAll, .play, .faster] + time + [.palette, .save]
    case .detail: moving + [.nextMatch, .unfold, .edit] + time + [.palette, .save]
    case .help: moving
    }
  }

  /// What a key does on a screen, in a few words; nil if the first clause of its help in the key
  /// table is short enough.
  private static func brief(_ command: Command, on screen: Screen) -> String? {
    switch command {
    case .open where screen == .graph: "go there"
    case .show(.detail): "all that is known of the row"
    case .back: "back"
    case .unfold: screen == .map ? "unfold a chain or a file" : "all functions of backtraces"
    case .focus: "only what reaches the node"
    case .showEnded: "what has ended, too"
    case .lanes: "lanes instead of the tree"
    case .edit: "open the source in $EDITOR"
    case .freeze: screen == .events ? "follow the latest event" : "keep the order of the rows"
    case .zoomIn: screen == .map ? "larger nodes" : "a shorter stretch of time"
    case .zoomAll: screen == .map ? "fit the screen" : "the whole recording"
    case .tagAlike: "tag all rows of this line"
    case .seek(.stall, true): "next work that waited 100 ms"
    case .seek(.finding, true): "next event of a finding"
    case .seek(.error, true): "next failure"
    case .save: "save the screen as text"
    case .sortRight: "sort by the next column"
    case .goToTime: "go to a time, event or mark"
    case .followCause: "what led to it, and from it"
    case .compareFromHere: "compare with this moment"
    default: nil
    }
  }

  /// The keys of a screen in as many columns as fit, each with a few words about what it does.
  private static func grid(of screen: Screen, width: Int, _ glyphs: Glyphs) -> [DocumentLine] {
    let bindings = commands(of: screen).compactMap { command in
      KeyTable.all.first { $0.command == command }
    }
    let columns = max(1, width / cellWidth)
    let height = (bindings.count + columns - 1) / columns
    return (0..<height).map { row in
      var pieces: [(String, Role)] = []
      for column in 0..<columns where column * height + row < bindings.count {
        let binding = bindings[column * height + row]
        let clause = String(binding.help.prefix { $0 != ";" && $0 != "," })
        let text = brief(binding.command, on: screen) ?? clause
        let fitted = Fitting.head(text, cellWidth - keyWidth - 1, glyphs)
        let keys = binding.keys.prefix(2).map(\.name).joined(separator: " ")
        let name = keys.count < keyWidth - 2 ? keys : binding.keys.first?.name ?? ""
        pieces.append((padded("  " + name, keyWidth), .key))
        pieces.append((padded(fitted, cellWidth - keyWidth), .text))
      }
      return DocumentLine(pieces)
    }
  }

  private static let cellWidth = 40
  private static let keyWidth = 10

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - CellWidth.of(text)))
  }

  // MARK: Everything

  /// All keys, commands, columns, words and signs.
  static func lines(width: Int) -> [DocumentLine] {
    var lines: [DocumentLine] = []
    for group in KeyBinding.Group.allCases {
      if !lines.isEmpty { lines.append(DocumentLine()) }
      lines.append(.heading(group.rawValue))
      for binding in KeyTable.all where binding.group == group {
        lines += entry(binding.keyNames, binding.help, width: width)
      }
    }
    lines += [DocumentLine(), .heading("Mouse")]
    for (part, meaning) in mouse { lines += entry(part, meaning, width: width) }
    lines.append(DocumentLine())
    lines.append(.heading("Commands"))
    for command in Model.palette {
      let argument = command.argument.isEmpty ? "" : command.argument + ": "
      lines += entry(":\(command.name)", argument + command.help, width: width)
    }
    lines += entry(
      ":next-\u{2026}",
      "error, stall, loss, finding, or problem for any of the first three; :previous-\u{2026} goes back",
      width: width
    )
    for screen in Screen.allCases {
      guard let columns = screen.table?.columnHelp else { continue }
      lines.append(DocumentLine())
      lines.append(.heading("Columns of \(screen.title)"))
      for column in columns {
        lines += entry(column.titles.joined(separator: ", "), column.meaning, width: width)
      }
    }
    lines.append(DocumentLine())
    lines.append(.heading("Words and signs"))
    for (sign, meaning) in signs { lines += entry(sign, meaning, width: width) }
    return lines
  }

  private static let indent = 16

  /// A name and its meaning; if the name is long, the meaning begins on the next line.
  static func entry(_ name: String, _ text: String, width: Int) -> [DocumentLine] {
    let blank = String(repeating: " ", count: indent)
    let wrapped = Fitting.wrap(text, max(16, width - indent))
    guard CellWidth.of(name) < indent - 2 else {
      return [DocumentLine("  " + name, role: .key)] + wrapped.map { DocumentLine(blank + $0) }
    }
    return wrapped.enumerated().map { index, line in
      index == 0
        ? DocumentLine([(padded("  " + name, indent), .key), (line, .text)])
        : DocumentLine(blank + line)
    }
  }

  private static let mouse: [(String, String)] = [
    ("a row", "a press selects it, a second one opens it"),
    ("the bar", "opens a screen"),
    ("a heading", "sorts by the column; click again to reverse the order"),
    ("the last line", "does what the key does"),
    ("the wheel", "three rows up or down"),
  ]

  private static let signs: [(String, String)] = [
    ("signal", "a description of work, made by an operator such as map"),
    ("subscription", "a running instance of a signal; this is what leaks"),
    ("root", "a subscription made by the program itself rather than by an operator"),
    ("many", "as a root: it is shared or feeds a shared one, which can have any number of roots"),
    ("a dash", "there is none: no name, no scheduler, nothing has happened"),
    ("?", "unknown: not recorded at this level, no longer in the recording, or lost"),
    ("!  i", "a finding accuses this line; i is for information only"),
    ("№8", "the eighth event of its subscription; a value is shown under \u{201C}says\u{201D}"),
    ("·", "at the same moment as the row above"),
    ("dropped", "a live subscription that nobody can dispose of any more"),
    ("new gone", "live ones begun since the latest mark; ended ones that were live then"),
    ("held", "values kept back, or events that wait for their turn"),
    ("VIOLATION", "a rule of the event contract is broken"),
    ("LEAK", "everything observed says that this should be gone"),
    ("SUSPECT", "likely a leak or fault, by a rule of thumb; look at the evidence"),
    ("LOST DATA", "the recording is incomplete, so verdicts are held back"),
  ]
}
