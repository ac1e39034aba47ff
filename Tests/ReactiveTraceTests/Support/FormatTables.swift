import ReactiveTrace

/// The tables of `TraceFormat.md`, rendered from those in the code.
enum FormatTables {
  /// Every generated part of `TraceFormat.md`, by the name in its markers.
  static let all: [(name: String, lines: [String])] =
    [("regions", regions), ("records", records), ("values", values)]
    + LayoutSpec.all.map { ($0.layoutName, structure($0)) }

  /// One line for each region.
  static var regions: [String] {
    var lines = ["| Row | Region | Entries | Statement (§13) | Section |", "|---|---|---|---|---|"]
    for kind in RegionKind.allCases {
      let isHeap = kind == .strings || kind == .stacks
      let bytes = LayoutSpec.tables[kind]?.byteCount ?? Layout.Segment.size
      let size = isHeap ? "heap" : "\(bytes) bytes"
      let statement =
        switch kind {
        case .segments: LayoutSpec.segment.name
        case .tail: "tail"
        case .strings: "string"
        case .stacks: "stack"
        default: LayoutSpec.tables[kind]?.name ?? ""
        }
      let section =
        switch kind {
        case .segments, .tail: "4, 5"
        case .slab, .upstreams: "6"
        case .sites: "7"
        case .strings, .stacks: "9"
        default: "8"
        }
      lines.append("| \(kind.rawValue) | `\(kind)` | \(size) | `\(statement)` | \(section) |")
    }
    return lines
  }

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
        "| \(spec.number) | `\(spec.name)` | \(argument(spec.identifier)) "
          + "| \(argument(spec.argument)) | \(more) | \(level) | \(meaning) |"
      )
    }
    return lines
  }

  private static func argument(_ argument: (name: String, type: ArgumentType)) -> String {
    argument.type == .none ? "–" : "\(argument.name): \(argument.type.rawValue)"
  }

  /// One line for each group of fields that the text form does not write as decimal numbers.
  static var values: [String] {
    var lines = ["| Statement | Fields | Written as |", "|---|---|---|"]
    // Leases are requests by readers, not part of the recording, so the text does not contain them.
    for spec in LayoutSpec.all where spec.name != "lease" {
      var groups: [(form: String, fields: [String])] = []
      for field in spec.fields {
        guard let form = form(field.type) else { continue }
        if let index = groups.firstIndex(where: { $0.form == form }) {
          groups[index].fields.append("`\(field.name)`")
        } else {
          groups.append((form, ["`\(field.name)`"]))
        }
      }
      for group in groups {
        lines.append("| `\(spec.name)` | \(group.fields.joined(separator: ", ")) | \(group.form) |")
      }
    }
    lines.append("| records | of type *string* | string |")
    lines.append("| records | of type *state* | hexadecimal |")
    for (type, names) in [
      ("reason", EndReason.allCases.map { "\($0)" }),
      ("cause", EndCause.allCases.map { "\($0)" }),
      ("event", RefusedEvent.allCases.map { "\($0)" }),
      ("level", TraceLevel.allCases.map { "\($0)" }),
    ] {
      lines.append("| records | of type *\(type)* | \(form(.names(names)) ?? "") |")
    }
    return lines
  }

  private static func form(_ type: FieldType) -> String? {
    switch type {
    case .number: nil
    case .hex: "hexadecimal"
    case .string: "string"
    case .text: "text"
    case .bytes: "bytes"
    case .names(let names):
      "names, from 0 on: " + names.map { "`\($0)`" }.joined(separator: ", ")
    }
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
