import TraceFindings
import TraceModel
internal import TraceReading

/// The preview below the map, which shows facts about the selected node.
enum MapPreview {
  static func lines(_ node: ProgramMap.Node, _ model: Model) -> [DocumentLine] {
    let rows = node.sites.compactMap(model.inspection.site)
    guard let first = rows.first else { return [] }
    let width = model.size.columns
    guard rows.count > 1 else { return line(first, model, width) }
    let lines = Quantity.of(rows.count, "line", "lines")
    let heading =
      switch node.id {
      case .file(let file): "\(lines) of \(displayName(file, columns: 60))"
      case .module(let module): "\(lines) of module \(displayName(module, columns: 60))"
      case .line, .chain: "\(Quantity.of(rows.count, "operator", "operators")) in a row"
      }
    return [DocumentLine([(heading, .strong), ("  z shows each", .dim)])]
      + rows.map { row in
        DocumentLine([
          ("  \(row.label)", .text), ("  live \(Quantity.count(row.liveOfKind))", .dim),
          (row.rate.map { "  \(Quantity.rate($0))/s" } ?? "", .dim),
          (row.worst.map { "  \($0.label)" } ?? "", row.worst.map(\.role) ?? .text),
        ])
      }
  }

  /// Lists the lines of code that caused the events of a line, and those that its events affected.
  private static func flow(_ row: SiteRow, _ model: Model) -> [DocumentLine] {
    guard let report = model.flow else { return [] }
    let flow = LineFlow(row, report, model.inspection)
    func line(_ label: String, _ entries: [LineFlow.Entry], _ text: (LineFlow.Entry) -> String)
      -> [DocumentLine]
    {
      guard !entries.isEmpty else { return [] }
      func line(_ count: Int) -> DocumentLine {
        let left = entries.count - min(count, entries.count)
        let all = entries.prefix(count).map(text).joined(separator: ", ")
        return DocumentLine([
          (label, .dim), (all + (left > 0 ? " and \(left) more" : ""), .text),
          ("  in the last \(flow.span)", .dim),
        ])
      }
      if let most = (1...3).last(where: { CellWidth.of(line($0).text) <= model.size.columns }) {
        return [line(most)]
      }
      var shortest = line(1)
      shortest.pieces.removeLast()
      return [shortest]
    }
    return line("came      ", flow.causes) {
      $0.site == nil ? "\($0.text) from an unknown cause" : "\($0.text) from \($0.label)"
    }
      + line("led       ", flow.effects) { "\($0.text) to \($0.label)" }
  }

  /// The preview of a line of code below a list.
  static func lines(of row: SiteRow, _ model: Model) -> [DocumentLine] {
    line(row, model, model.size.columns, ListPreview.flow(row.id, model))
  }

  private static func line(
    _ row: SiteRow,
    _ model: Model,
    _ width: Int,
    _ more: [DocumentLine] = []
  ) -> [DocumentLine] {
    let findings = model.inspection.findings.filter { $0.site == row.id }
    var facts: [(String, Role)] = [
      (row.label, .strong), ("  live \(Quantity.count(row.liveOfKind))", .text),
      (" of \(Quantity.count(row.everOfKind)) ever", .dim),
    ]
    if let rate = row.rate { facts.append(("  \(Quantity.rate(rate)) events/s", .text)) }
    if let events = row.eventsOfKind {
      facts.append(("  \(Quantity.of(Int(clamping: events), "event", "events"))", .dim))
    }
    if let age = row.lastEventAge { facts.append(("  last \(Quantity.duration(age)) ago", .dim)) }
    if let age = row.oldestAge { facts.append(("  oldest \(Quantity.duration(age))", .dim)) }
    if let held = row.held, held > 0 { facts.append(("  holds \(Quantity.count(held))", .suspect)) }
    if let scheduler = row.scheduler {
      facts.append(("  on \(displayName(scheduler, columns: 32))", .dim))
    }
    var lines = [DocumentLine(facts)] + more + flow(row, model)
    for finding in findings {
      lines.append(
        DocumentLine([
          (finding.level.label, finding.level.role), ("  \(finding.kind.title)", .strong),
        ])
      )
      lines += FindingsView.lines(finding, width: width, model.glyphs)
    }
    // These lines matter less than the findings and may not fit, so they come last.
    lines += ListPreview.account(model)
    guard findings.isEmpty else { return lines }
    let ends = row.endedByReason.enumerated().filter { $0.element > 0 }.compactMap { place, count in
      EndReason(rawValue: UInt32(place)).map { "\(Quantity.count(count)) \($0.schemaName)" }
    }
    if !ends.isEmpty {
      lines.append(DocumentLine("ended: " + ends.joined(separator: ", "), role: .dim))
    }
    return lines
  }
}
