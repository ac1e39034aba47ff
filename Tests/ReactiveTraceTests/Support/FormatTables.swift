import ReactiveTrace

/// The tables of the document, rendered from the tables in code.
enum FormatTables {
  /// Every generated part of `TraceFormat.md`, by the name in its marks.
  static let all: [(name: String, lines: [String])] =
    [("records", records)] + LayoutSpec.all.map { ($0.layoutName, structure($0)) }

  /// One line for each kind of record.
  static var records: [String] {
    var lines = ["| Kind | Name | Identifier | Argument | Continuations | Level | Meaning |"]
    lines.append("|---|---|---|---|---|---|---|")
    for spec in RecordSpec.all {
      let more = spec.more.isEmpty ? "–" : spec.more.map(argument).joined(separator: ", ")
      let level = spec.isEvent ? "events" : "graph"
      var meaning = spec.meaning
      if let begins = spec.begins { meaning += " Ends what `\(RecordSpec.of(begins).name)` began." }
      lines.append(
        "| \(spec.kind.rawValue) | `\(spec.name)` | \(argument(spec.identifier)) "
          + "| \(argument(spec.argument)) | \(more) | \(level) | \(meaning) |"
      )
    }
    return lines
  }

  private static func argument(_ argument: (name: String, type: ArgumentType)) -> String {
    argument.type == .none ? "–" : "\(argument.name): \(argument.type.rawValue)"
  }

  /// One line for each field.
  static func structure(_ spec: StructureSpec) -> [String] {
    var lines = ["| Offset | Bytes | Field | Meaning |", "|---|---|---|---|"]
    for field in spec.fields {
      let size = field.count > 1 ? "\(field.count) × \(field.width)" : "\(field.width)"
      let bits = field.bits.map { " bits \($0.lowerBound)–\($0.upperBound - 1)" } ?? ""
      lines.append("| \(field.offset)\(bits) | \(size) | `\(field.name)` | \(field.meaning) |")
    }
    return lines
  }
}
