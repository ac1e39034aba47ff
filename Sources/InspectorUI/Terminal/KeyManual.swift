/// The part of the manual page about keys, generated from the key table.
public enum KeyManual {
  /// Lines of troff, with a subheading for each group and a paragraph for each key.
  public static var text: String {
    var lines: [String] = []
    for group in KeyBinding.Group.allCases {
      lines.append(".SS \(escaped(group.rawValue))")
      for binding in KeyTable.all where binding.group == group {
        lines.append(".TP")
        lines.append(".B \(escaped(binding.keyNames)) ")
        lines.append("\(escaped(binding.help)) (\\fB:\(escaped(binding.command.name))\\fR)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text escaped so that troff prints it unchanged.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'" where escaped.isEmpty, "." where escaped.isEmpty: escaped += "\\&\(character)"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "`": escaped += "\\(ga"
      case "'": escaped += "\\(aq"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
