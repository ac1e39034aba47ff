/// An event that is printed as a line on the terminal.
struct Alert: Sendable, Equatable {
  enum Kind: String, Sendable {
    case open = "OPEN"
    case close = "CLOSE"
    case error = "ERROR"
    case warning = "WARN"
    case flood = "FLOOD"
    case changed = "CHANGED"
    case quiet = "QUIET"
    case load = "LOAD"
    case notice = "NOTE"
  }

  let kind: Kind
  /// The file concerned, relative to the watched directory; empty if there is none.
  var file = ""
  var text = ""

  /// The alert as one line, without control characters.
  var line: String {
    let label = kind.rawValue + String(repeating: " ", count: 7 - kind.rawValue.count)
    return [label, Console.printable(file), Console.printable(text)]
      .filter { !$0.isEmpty }
      .joined(separator: "  ")
  }
}

extension Alert.Kind {
  /// The severity of a line of a log file; nil for a line that is ignored.
  init?(severityOf line: String) {
    if line.contains("ERROR") {
      self = .error
    } else if line.contains("WARN") {
      self = .warning
    } else {
      return nil
    }
  }
}
