import TraceModel

extension Model {
  /// The commands that can be typed after `:` in addition to those of the key table; most take an
  /// argument.
  static let palette: [(name: String, argument: String, help: String)] = [
    ("sort", "COLUMN [up|down]", "sort by a column"),
    ("goto", "WHEN", "12.5s, -3s, 1:12.258, #8203, end, or the name of a mark"),
    ("filter", "EXPRESSION", "as typed after \\"),
    ("search", "TEXT", "as typed after /"),
    (
      "owner", "NAME",
      "what an owner, such as a bag, holds, given by its number or a part of its name; else all"
    ),
    ("queue", "NAME", "what runs and waits on a queue, given by a part of its name"),
    (
      "module", "NAME",
      "show only lines of a module; on Map, fold the others; without a name, show all"
    ),
    (
      "tag", "NAME",
      "give the selected line of code a name, or take that name off; a filter finds it as tag=NAME"
    ),
    ("diff", "FILE", "compare this run with another recording, or a process"),
    ("tasks", "", "why there is no screen of tasks and actors, and what shows them"),
    ("set", "KEY VALUE", "change a setting, as 'set mouse off'"),
  ]

  /// The commands that go to the next or the previous error, finding, stall, loss or problem.
  private static let seeks: [Command] = [Step.error, .finding, .stall, .loss, .problem].flatMap {
    [.seek($0, true), .seek($0, false)]
  }

  /// All words with which a command can begin.
  static let commandNames: [String] = {
    var seen: Set<String> = []
    return (palette.map(\.name) + KeyTable.all.map(\.command.name) + seeks.map(\.name)).filter {
      seen.insert($0).inserted
    }
  }()

  /// Performs the command typed after `:`.
  mutating func run(_ text: String) -> [Effect] {
    let text = text.trimmingBlanks
    guard !text.isEmpty else { return [] }
    typedCommands.removeAll { $0 == text }
    typedCommands = typedCommands.suffix(99) + [text]
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1].trimmingBlanks : ""
    switch parts[0] {
    case "sort" where !rest.isEmpty: sort(by: rest)
    case "goto" where !rest.isEmpty: return goTo(rest)
    case "filter":
      filter = RowFilter(rest)
      showNote(rest.isEmpty ? "All rows are shown." : "Shows rows that pass '\(rest)'.")
    case "search" where !rest.isEmpty:
      search = rest
      findSearched()
    case "owner": path.append(Place(.detail, scope: .owners(rest)))
    case "queue": openQueue(rest)
    case "module": showModule(rest)
    case "tag" where !rest.isEmpty: tag(rest)
    case "diff" where !rest.isEmpty: return [.compare(rest)]
    case "tasks":
      showNote("Tasks and actors are not recorded; h shows queues, e the thread of each event.")
    case "set":
      let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard let key = words.first else {
        showNote("set: name a setting and a value, as 'set mouse off'.", isProblem: true)
        return []
      }
      if ["screen", "filter"].contains(key) {
        showNote("The \(key) is kept as it is shown; go there, and :write-config keeps it.")
        return []
      }
      let problem = settings.set(key, words.count > 1 ? words[1].trimmingBlanks : "")
      showNote(
        problem ?? "Set; :write-config keeps it for the next time.",
        isProblem: problem != nil
      )
    default:
      let commands = KeyTable.all.map(\.command) + Self.seeks
      guard let command = commands.first(where: { $0.name == parts[0] }) else {
        let near = Suggestion.nearest(to: parts[0], in: Self.commandNames)
        showNote(
          "There is no command '\(displayName(parts[0], columns: 30))'"
            + (near.map { "; did you mean \($0)?" } ?? "; ? lists them."),
          isProblem: true
        )
        return []
      }
      return perform(command)
    }
    return []
  }

  /// The text, with its last word completed by the letters that all matching words share.
  func completion(of text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let last = words.last else { return text }
    let candidates: [String]
    switch (words.count, words.first) {
    case (1, _): candidates = Self.commandNames
    case (2, "sort"):
      candidates = place.screen.table?.sortable(self).map(\.name) ?? []
    case (2, "goto"):
      candidates = inspection.allMarks.map { displayName($0.name, columns: 60) } + ["end", "begin"]
    case (2, "set"):
      candidates = ["refresh", "color", "ascii", "mouse", "preview"]
    case (2, "owner"): candidates = ownerNames
    case (2, "diff"): candidates = recordings
    case (2, "queue"): candidates = inspection.schedulers.map { displayName($0.name) }
    case (2, "module"): candidates = modules
    case (2, "tag"): candidates = Set(settings.tags.map(\.name)).sorted()
    default: candidates = []
    }
    let matching = candidates.filter { $0.hasPrefix(last) && !$0.isEmpty }
    guard var common = matching.first else { return text }
    for other in matching.dropFirst() {
      common = String(zip(common, other).prefix { $0 == $1 }.map(\.0))
    }
    let done = words.dropLast().joined(separator: " ") + (words.count > 1 ? " " : "") + common
    return matching.count == 1 && words.count == 1 ? done + " " : done
  }

  /// The command that was typed before `text`, or the latest command if `text` was not typed.
  func typedBefore(_ text: String) -> String {
    guard let place = typedCommands.lastIndex(of: text) else { return typedCommands.last ?? text }
    return place > 0 ? typedCommands[place - 1] : text
  }

  private mutating func sort(by text: String) {
    let columns = place.screen.table?.sortable(self) ?? []
    guard let order = SortOrder(text, in: columns) else {
      let names = columns.map(\.name)
      showNote(
        names.isEmpty
          ? "\(place.screen.title) has one order only."
          : "There is no column '\(displayName(text, columns: 30))'; there are \(names.joined(separator: ", ")).",
        isProblem: true
      )
      return
    }
    place.sort = order
    showNote("Sorted by \(order.column == "!" ? "findings" : order.column).")
  }

  // MARK: Moments

  private mutating func goTo(_ text: String) -> [Effect] {
    guard let position = position(of: text) else {
      showNote(
        "'\(displayName(text, columns: 40))' is not a moment; use 12.5s, -3s, 1:12.258, #8203, end or the name of a mark.",
        isProblem: true
      )
      return []
    }
    if position == .end { return travel(.end) }
    if case .time(let time) = position, time > inspection.program.duration, !isRunning {
      let length = Quantity.moment(inspection.program.duration)
      showNote("The recording ends at \(length): this is its end.", isProblem: true)
      return travel(.end)
    }
    return go(to: position)
  }

  /// The moment that a text such as `12.5s`, `#8203` or `end` means; nil if it means none.
  func position(of text: String) -> Position? {
    if text == "end" || text == "live" { return .end }
    if text == "begin" { return .time(.zero) }
    if text.hasPrefix("#") { return UInt64(text.dropFirst()).map(Position.event) }
    if let mark = inspection.allMarks.first(where: { displayName($0.name, columns: 60) == text }) {
      return .mark(mark.id)
    }
    if text.contains(":") { return clock(text).map(Position.time) }
    guard let length = Quantity.length(text) else { return nil }
    let isRelative = text.hasPrefix("-") || text.hasPrefix("+")
    return .time(max(.zero, isRelative ? inspection.instant.time + length : length))
  }

  /// The time that a text such as `4:05.123` or `2:11:04.250` means; nil if it means none.
  private func clock(_ text: String) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for part in parts {
      guard let value = Double(part.filter { $0 != " " }), value >= 0, value < 1e6 else {
        return nil
      }
      seconds = seconds * 60 + value
    }
    return .nanoseconds(Int64(min(9e18, seconds * 1e9)))
  }
}

extension SortOrder {
  /// Parses an order such as `live`, `live down` or `age up`; nil if the screen has no such column.
  init?(_ text: String, on screen: Screen, _ glyphs: Glyphs) {
    guard let table = screen.table else { return nil }
    self.init(text, in: table.sortable)
  }

  /// Parses an order; nil if it names none of these columns.
  init?(_ text: String, in columns: [SortableColumn]) {
    var words = text.split(separator: " ").map(String.init)
    var ascending: Bool?
    if words.count > 1, words.last == "up" || words.last == "down" {
      ascending = words.removeLast() == "up"
    }
    let name = words.joined(separator: " ").lowercased()
    guard
      let column = columns.first(where: { column in
        column.title.lowercased() == name || column.name.lowercased() == name
          || column.title.lowercased().split { "@ (".contains($0) }.first.map(String.init) == name
      })
    else { return nil }
    self.init(column: column.title, ascending: ascending ?? !column.isDescendingFirst)
  }
}
