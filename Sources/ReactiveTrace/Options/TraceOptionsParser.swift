/// Reads `level=events,size=64M,…`, or describes in one sentence what is wrong with it.
struct TraceOptionsParser {
  private var options = TraceOptions()
  private var seen: [String] = []
  /// Whether there is an item `0`, which switches recording off whatever else is given.
  private var isOff = false

  private static let keys = [
    "level", "mode", "size", "limit", "keep", "file", "stacks", "hops", "max", "snapshot",
    "crashes", "startup",
  ]
  private static let levels = ["off", "graph", "events", "values"]
  private static let words = levels + ["crash"]

  mutating func parse(_ text: String) throws(TraceError) -> TraceOptions? {
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let item = Self.trimmed(item)
      let equals = item.firstIndex(of: "=")
      if let colon = item.firstIndex(of: ":"), equals.map({ colon < $0 }) ?? true {
        let word = Self.trimmed(item[..<colon])
        options.places.append(try Self.place(word, Self.trimmed(item[item.index(after: colon)...])))
        seen.append(item)
      } else if let equals {
        let key = Self.trimmed(item[..<equals])
        try set(key, Self.trimmed(item[item.index(after: equals)...]))
      } else {
        try setWord(item)
      }
    }
    if options.level > options.maximumLevel {
      if seen.contains("max"), seen.contains("level") {
        throw Self.mistake(
          "'level' is above 'max'",
          "expected a level up to \(Self.name(options.maximumLevel))"
        )
      }
      // Without `max`, a level above the default maximum also raises the maximum: `level=values`
      // implies `max=values`. With `max` alone, the level is lowered to it.
      if seen.contains("max") {
        options.level = options.maximumLevel
      } else {
        options.maximumLevel = options.level
      }
    }
    try checkPlaces()
    if options.startupSize != nil, options.level != .graph {
      throw Self.mistake(
        "'startup' is for level=graph",
        "leave it out: other levels record single events all the time, or none"
      )
    }
    try checkLimit()
    return isOff || seen.isEmpty || options.level == .off ? nil : options
  }

  private func checkPlaces() throws(TraceError) {
    guard let place = options.places.max(by: { $0.level < $1.level }) else { return }
    if options.level == .off {
      throw Self.mistake(
        "'off' records nothing, not even at places with a level of their own",
        "write 'graph' to record lifetimes in the whole program, and more at these places"
      )
    }
    if seen.contains("max"), place.level > options.maximumLevel {
      throw Self.mistake(
        "'\(Self.name(place.level))' of a place is above 'max'",
        "expected a level up to \(Self.name(options.maximumLevel))"
      )
    }
  }

  private func checkLimit() throws(TraceError) {
    if options.lookBack != 0, options.mode == .stream {
      throw Self.mistake("'keep' with a time is for a ring", "a stream keeps all, up to 'limit'")
    }
    guard options.limit != 0 else { return }
    guard options.mode == .stream else {
      throw Self.mistake("'limit' is for mode=stream", "a ring is bounded by 'size'")
    }
    let least = FilePlan(ringSize: options.size).byteCount
    guard options.limit > least else {
      throw Self.mistake(
        "'limit' leaves no room for a stream",
        "expected more than \(least) bytes, the size of an empty file, which is less with a smaller 'size'"
      )
    }
  }

  // MARK: Words and keys

  private mutating func setWord(_ word: String) throws(TraceError) {
    switch word {
    case "": break
    case "0": isOff = true
    case "1": try once("level")
    case "values", "off", "graph", "events": try set("level", word)
    case "crash": try set("crashes", "report")
    default:
      let near = Self.nearest(word, in: Self.keys + Self.words)
      let hint = near.map { " (did you mean '\($0)'?)" } ?? ""
      throw Self.mistake(
        "'\(Self.quoted(word))' is neither a level nor 'key=value'\(hint)",
        "expected 0, 1, \(Self.list(Self.words)), a level for a place, such as events:Checkout.swift, or pairs with the keys \(Self.list(Self.keys))"
      )
    }
  }

  private mutating func set(_ key: String, _ value: String) throws(TraceError) {
    switch key {
    case "level": options.level = try level(key, value)
    case "max": options.maximumLevel = try level(key, value)
    case "stacks":
      let modes: [(String, StackMode)] = [
        ("off", .off), ("hops", .hops), ("callers", .callers), ("all", .all),
      ]
      options.stacks = try choose(key, value, modes)
    case "hops": options.hops = try choose(key, value, [("own", .own), ("all", .all)])
    case "mode":
      options.mode = try choose(key, value, [("ring", .ring), ("stream", .stream)])
    case "size": options.size = try size(key, value)
    case "limit": options.limit = try size(key, value, upTo: 1 << 50, "1024T")
    case "startup":
      options.startupSize = value == "0" ? 0 : try size(key, value, from: Layout.Segment.size)
    case "keep":
      if let seconds = seconds(value) {
        options.lookBack = seconds
        return try once("keep=TIME")
      }
      options.keep = try count(key, value)
    case "snapshot":
      options.snapshotsOnSignal = try choose(key, value, [("off", false), ("usr2", true)])
    case "crashes":
      let choices = [("off", (false, false)), ("on", (true, false)), ("report", (true, true))]
      (options.recordsCrashes, options.reportsCrashes) = try choose(key, value, choices)
    case "file":
      guard !value.isEmpty else {
        throw Self.mistake("'file' is empty", "expected the path of the file to write")
      }
      options.path = value
    default:
      let near = Self.nearest(key, in: Self.keys)
      let hint = near.map { " (did you mean '\($0)'?)" } ?? ""
      throw Self.mistake(
        "'\(Self.quoted(key))' is not a key\(hint)",
        "accepted keys are \(Self.list(Self.keys))"
      )
    }
    try once(key)
  }

  private mutating func once(_ key: String) throws(TraceError) {
    guard !seen.contains(key) else {
      throw Self.mistake("'\(key)' is given twice", "expected each key once")
    }
    seen.append(key)
  }

  // MARK: Values

  private func level(_ key: String, _ value: String) throws(TraceError) -> TraceLevel {
    try choose(
      key,
      value,
      [("off", .off), ("graph", .graph), ("events", .events), ("values", .values)]
    )
  }

  private func choose<Choice>(
    _ key: String,
    _ value: String,
    _ choices: [(name: String, value: Choice)]
  ) throws(TraceError) -> Choice {
    for choice in choices where choice.name == value { return choice.value }
    let names = choices.map(\.name)
    let hint = Self.nearest(value, in: names).map { " (did you mean '\($0)'?)" } ?? ""
    throw Self.mistake(
      "'\(key)' cannot be '\(Self.quoted(value))'\(hint)",
      "expected \(Self.list(names))"
    )
  }

  private func count(_ key: String, _ value: String) throws(TraceError) -> Int {
    guard let count = Int(value), (0...9999).contains(count), value.first != "+" else {
      throw Self.mistake(
        "'\(key)' cannot be '\(Self.quoted(value))'",
        "expected a number of files from 0 to 9999, or how far to look back, such as 30s, 5m or 2h"
      )
    }
    return count
  }

  /// The number of seconds in a value such as `30s`, `5m` or `2h`; nil if the value is not a time
  /// from one second to a week.
  private func seconds(_ value: String) -> UInt32? {
    let units: [Character: UInt32] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = value.last.flatMap({ units[$0] }), let count = UInt32(value.dropLast()),
      (1...604_800 / unit).contains(count), value.first != "+"
    else { return nil }
    return count * unit
  }

  private func size(
    _ key: String,
    _ value: String,
    from least: Int = FilePlan.smallestRing,
    upTo limit: Int = FilePlan.largestRing,
    _ limitText: String = "16G"
  ) throws(TraceError) -> Int {
    let units = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = value.last.flatMap { units[$0.uppercased()] }
    let digits = unit == nil ? value[...] : value.dropLast()
    let accepted =
      "expected a number of bytes with K, M, G or T, from \(least >> 10)K to \(limitText)"
    guard let number = Int(digits), digits.first != "+", number >= 0 else {
      throw Self.mistake("'\(key)' cannot be '\(Self.quoted(value))'", accepted)
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow, (least...limit).contains(bytes) else {
      throw Self.mistake("'\(key)' cannot be '\(Self.quoted(value))'", accepted)
    }
    return bytes
  }

  // MARK: Sentences

  static func mistake(_ what: String, _ expected: String) -> TraceError {
    TraceError(.invalidOptions, "\(what); \(expected)")
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func name(_ level: TraceLevel) -> String { levels[Int(level.rawValue)] }

  /// The user's text, shortened and on one line.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(40).map { scalar in
      scalar.properties.generalCategory.isPrintable ? Character(scalar) : "?"
    }
    return String(shown) + (text.unicodeScalars.count > 40 ? "…" : "")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The candidate with the smallest edit distance from `word`; nil if all distances are above two,
  /// or above half of the letters.
  static func nearest(_ word: String, in candidates: [String]) -> String? {
    guard word.utf8.count <= 16 else { return nil }
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let distance = distance(Array(word.utf8), Array(candidate.utf8))
      let isNear = distance <= 2 && distance * 2 <= min(word.utf8.count, candidate.utf8.count)
      if isNear, distance < best?.distance ?? .max {
        best = (distance, candidate)
      }
    }
    return best?.name
  }

  /// The number of letters to insert, remove, replace, or swap with their neighbour.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [[Int]](
      repeating: [Int](repeating: 0, count: right.count + 1),
      count: left.count + 1
    )
    for i in 0...left.count {
      for j in 0...right.count {
        guard i > 0, j > 0 else {
          rows[i][j] = i + j
          continue
        }
        let replaced = rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[left.count][right.count]
  }
}

extension Unicode.GeneralCategory {
  /// Whether a character of this category may be written to a terminal as it is.
  fileprivate var isPrintable: Bool {
    switch self {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
