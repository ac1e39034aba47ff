/// One thing worth a line on the terminal.
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
  /// The file it is about, relative to the watched directory; empty where it is about none.
  var file = ""
  var text = ""

  /// The alert as a line, fit for a terminal.
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
