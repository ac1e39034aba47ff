import TraceFindings

/// The help: the key table, group by group, and what columns and signs mean.
///
/// There is no other list of keys.
enum HelpView {
  static func lines(width: Int) -> [DocumentLine] {
    var lines: [DocumentLine] = []
    for group in KeyBinding.Group.allCases {
      if !lines.isEmpty { lines.append(DocumentLine()) }
      lines.append(.heading(group.rawValue))
      for binding in KeyTable.all where binding.group == group {
        lines += entry(binding.keyNames, binding.help, width: width)
      }
    }
    lines.append(DocumentLine())
    lines.append(.heading("Commands"))
    for command in Model.palette {
      let takes = command.takes.isEmpty ? "" : command.takes + ": "
      lines += entry(":\(command.name)", takes + command.help, width: width)
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

  static func entry(_ name: String, _ text: String, width: Int) -> [DocumentLine] {
    let indent = 16
    let padding = String(repeating: " ", count: max(1, indent - 2 - CellWidth.of(name)))
    let wrapped = Fitting.wrap(text, max(16, width - indent))
    return wrapped.enumerated().map { index, line in
      index == 0
        ? DocumentLine([("  " + name, .key), (padding, .text), (line, .text)])
        : DocumentLine(String(repeating: " ", count: indent) + line)
    }
  }

  private static let signs: [(String, String)] = [
    ("signal", "a description of work, made by an operator such as map"),
    ("subscription", "a running instance of a signal; this is what leaks"),
    ("root", "a subscription made by the program itself rather than by an operator"),
    ("a dash", "there is none: no name, no scheduler, nothing has happened"),
    ("?", "the recording cannot tell: it lies before its window, or was lost"),
    ("!  i", "a finding accuses this line; i is for information only"),
    ("new gone", "subscriptions begun and ended since the latest mark"),
    ("held", "values kept back, or events that wait for their turn"),
    ("VIOLATION", "a rule of the event contract is broken"),
    ("LEAK", "everything observed says that this should be gone"),
    ("SUSPECT", "a rule of thumb says so; look at the evidence"),
    ("LOST DATA", "the recording is incomplete, so verdicts are held back"),
  ]
}
