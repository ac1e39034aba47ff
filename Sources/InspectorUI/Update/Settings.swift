import TraceModel

/// The settings that rxtop keeps from one run to the next, in the file `rxtop/config` of the
/// settings directory.
///
/// A line is `key = value`. A `#` begins a comment, except in a filter, which may contain that
/// character. An invalid line is reported and ignored, so that an error in the file never prevents
/// rxtop from running.
public struct Settings: Hashable, Sendable {
  /// The first screen.
  public var screen: Screen?
  /// The refresh interval for a running program, in seconds.
  public var refresh: Double?
  /// Whether only ASCII characters are drawn.
  public var ascii = false
  /// When to use colour.
  public var color: ColorChoice?
  /// Whether rxtop uses the mouse; if it does, the terminal selects text only while Shift is held.
  public var mouse = true
  /// Whether lists and the map have a preview of the selected row below them.
  public var preview = true
  /// The filter, as typed after `\`.
  public var filter = ""
  /// The orders of the screens that have rows: a column, optionally followed by `up` or `down`.
  public var sort: [Screen: String] = [:]

  /// The names that the user gave to lines of code.
  public var tags: [LineTag] = []

  /// The default settings.
  public init() {}

  /// The maximum length of a line, and the maximum number of lines of a file.
  static let limit = 400

  /// Parses settings.
  ///
  /// - Parameter text: The contents of the file.
  /// - Returns: The settings, and a sentence for each line that is invalid.
  public static func parse(_ text: String) -> (settings: Settings, problems: [String]) {
    var settings = Settings()
    var problems: [String] = []
    // A line may end with a carriage return and a line feed, which are one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard index < limit else {
        problems.append(
          "line \(index + 1): there are more than \(limit) lines; the rest is left out"
        )
        break
      }
      let key = line.prefix { $0 != "=" && $0 != "#" }.trimmingBlanks
      let bare = (key == "filter" ? line : line.prefix { $0 != "#" }).trimmingBlanks
      guard !bare.isEmpty else { continue }
      let parts = bare.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
      guard parts.count == 2, bare.count <= limit else {
        problems.append("line \(index + 1): expected 'key = value'")
        continue
      }
      if let problem = settings.set(parts[0], parts[1]) {
        problems.append("line \(index + 1): \(problem)")
      }
    }
    return (settings, problems)
  }

  /// Changes one setting.
  ///
  /// - Returns: A description of the error; nil if there is none.
  public mutating func set(_ key: String, _ value: String) -> String? {
    switch key {
    case "screen":
      guard let screen = Screen(rawValue: value), Screen.inBar.contains(screen) else {
        return "'\(displayName(value, columns: 40))' is not a screen; use "
          + Screen.inBar.map(\.rawValue).joined(separator: ", ")
      }
      self.screen = screen
    case "refresh":
      guard let seconds = Double(value), (0.1...60).contains(seconds) else {
        return
          "'\(displayName(value, columns: 40))' is not a refresh interval; use 0.1 to 60 seconds"
      }
      refresh = seconds
    case "color":
      guard let color = ColorChoice(rawValue: value) else {
        return
          "'\(displayName(value, columns: 40))' is not a choice of colour; use auto, always or never"
      }
      self.color = color
    case "ascii", "mouse", "preview":
      guard let flag = Self.boolean(value) else {
        return "'\(displayName(value, columns: 40))' is neither on nor off"
      }
      switch key {
      case "ascii": ascii = flag
      case "mouse": mouse = flag
      default: preview = flag
      }
    case "filter": filter = value
    case _ where key.hasPrefix("sort."):
      guard let screen = Screen(rawValue: String(key.dropFirst(5))), screen.table != nil else {
        return "'\(displayName(key, columns: 40))' names no screen with rows, as sort.sites does"
      }
      sort[screen] = value
    case _ where key.hasPrefix("tag."):
      guard let tag = LineTag(program: String(key.dropFirst(4)), value) else {
        return
          "'\(displayName(value, columns: 40))' is not a tag; a tag is 'NAME at OPERATOR@FILE:LINE:COLUMN'"
      }
      tags.append(tag)
    default:
      return
        "'\(displayName(key, columns: 40))' is not a setting; use screen, refresh, color, ascii, "
        + "mouse, preview, filter, sort.SCREEN or tag.PROGRAM"
    }
    return nil
  }

  /// The contents of a file from which ``parse(_:)`` reads these settings.
  public var text: String {
    var lines = ["# Settings of rxtop, written by :write-config."]
    if let screen { lines.append("screen = \(screen.rawValue)") }
    if let refresh { lines.append("refresh = \(refresh)") }
    if let color { lines.append("color = \(color.rawValue)") }
    if ascii { lines.append("ascii = on") }
    if !mouse { lines.append("mouse = off") }
    if !preview { lines.append("preview = off") }
    let line = "filter = \(filter.trimmingBlanks)"
    // A filter that consists of blanks or is too long could not be parsed again.
    if !filter.trimmingBlanks.isEmpty, line.count <= Self.limit { lines.append(line) }
    for screen in Screen.allCases {
      if let order = sort[screen] { lines.append("sort.\(screen.rawValue) = \(order)") }
    }
    lines += tags.map(\.setting).filter { $0.count <= Self.limit }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "on", "true", "yes", "1": true
    case "off", "false", "no", "0": false
    default: nil
    }
  }
}
