import TraceModel

/// The help of the start screen: its keys, as the key table describes them, its columns, and how to
/// record a first trace.
enum PickerHelp {
  /// The bindings that the footer shows, the most important first.
  static let footer: [KeyBinding] =
    bindings.filter { !$0.label.isEmpty }.sorted { $0.footerRank < $1.footerRank }

  private static let bindings: [KeyBinding] = TracePicker.commands.compactMap { command in
    KeyTable.all.first { $0.command == command }
  }

  /// The lines of the help.
  static func lines(_ picker: TracePicker) -> [DocumentLine] {
    let width = picker.size.columns
    var lines = [DocumentLine.heading("Keys")]
    for binding in bindings {
      lines += HelpView.entry(binding.keyNames, help(of: binding), width: width)
    }
    lines += [DocumentLine(), .heading("Columns")]
    for column in picker.table.columnHelp {
      lines += HelpView.entry(column.titles.joined(separator: ", "), column.meaning, width: width)
    }
    lines += [DocumentLine(), .heading("Words and signs")]
    for state in PickerRow.State.allCases {
      lines += HelpView.entry(state.rawValue, state.meaning, width: width)
    }
    for (sign, meaning) in signs { lines += HelpView.entry(sign, meaning, width: width) }
    lines += [DocumentLine(), .heading("More to look at")]
    lines += exampleLines(width: width)
    return lines
  }

  private static func help(of binding: KeyBinding) -> String {
    switch binding.command {
    case .open: "open the program or the recording"
    case .quit: "close this help; on the list, leave"
    case .invert: "reverse that order"
    default: binding.help
    }
  }

  private static let signs: [(String, String)] = [
    ("…", "the check for findings is under way; a running program is checked every ten seconds"),
    ("a dash", "there is none: no finding, no rate of what has ended"),
    ("?", "it is not known"),
  ]

  // MARK: How to begin

  /// The text that is shown if there is no trace to choose; if there is little room, it lists the
  /// commands without explanations.
  static func beginning(width: Int, height: Int) -> [DocumentLine] {
    let reason = DocumentLine.emptiness(
      ["No traced program runs, and there are no recordings in the usual places."],
      width: width
    )
    let closing = DocumentLine.paragraph(
      "A program that starts now appears here by itself. q leaves.",
      width: width
    )
    let gap = [DocumentLine()]
    let full = gap + reason + gap + exampleLines(width: width) + gap + closing
    guard full.count > height else { return full }
    return reason + examples.map { DocumentLine("    " + $0.command, role: .key) } + closing
  }

  private static let examples: [(command: String, meaning: String)] = [
    ("RXTRACE=1 ./app", "starts a program so that it can be looked at"),
    ("rxtop record -- ./app", "runs it and keeps its recording in this folder"),
    ("rxtop FILE", "opens a recording that is elsewhere"),
  ]

  private static func exampleLines(width: Int) -> [DocumentLine] {
    // Commands and their meanings are side by side if there is room.
    let isWide = width >= 76
    return examples.flatMap { command, meaning in
      let padding = String(repeating: " ", count: max(1, 24 - command.count))
      return isWide
        ? [DocumentLine([("  " + command, .key), (padding, .text), (meaning, .text)])]
        : [DocumentLine("  " + command, role: .key)]
          + DocumentLine.paragraph(meaning, width: width, indent: 4)
    }
  }
}
