import TraceFindings
import TraceModel
internal import TraceReading

/// What is known of the selected node, in a few lines below the map.
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

  /// What led to its events, and to what they led.
  private static func flow(_ row: SiteRow, _ model: Model) -> [DocumentLine] {
    guard let report = model.flow else { return [] }
    let span = Quantity.duration(report.to - report.from)
    func list(_ counts: [(site: UInt32, count: UInt64)], of total: UInt64) -> String {
      counts.sorted { ($1.count, $0.site) < ($0.count, $1.site) }.prefix(3).map { entry in
        "\(Quantity.count(entry.count)) of \(Quantity.count(total)) from "
          + (model.inspection.site(entry.site)?.label ?? "?")
      }.joined(separator: ", ")
    }
    var lines: [DocumentLine] = []
    let origins = (report.origins[row.id] ?? [:]).filter { $0.key != row.id }
    let total = report.events(ofSite: row.id)
    if !origins.isEmpty {
      let text = list(origins.map { ($0.key, $0.value) }, of: total)
      lines.append(
        DocumentLine([("came      ", .dim), (text, .text), ("  in the last \(span)", .dim)])
      )
    }
    let led = report.origins.compactMap { site, origins -> (site: UInt32, count: UInt64)? in
      guard site != row.id, let count = origins[row.id],
        model.inspection.site(site)?.traits.contains(.root) == true
      else { return nil }
      return (site, count)
    }
    let sent = report.sent.filter { Packing.high($0.key) == row.id }
      .map { (site: Packing.low($0.key), count: $0.value) }
    let targets = (led + sent).sorted { ($1.count, $0.site) < ($0.count, $1.site) }.prefix(3).map {
      "\(Quantity.count($0.count)) to \(model.inspection.site($0.site)?.label ?? "?")"
    }
    if !targets.isEmpty {
      lines.append(
        DocumentLine([
          ("led       ", .dim), (targets.joined(separator: ", "), .text),
          ("  in the last \(span)", .dim),
        ])
      )
    }
    return lines
  }

  /// The same of a line of code in a list.
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
    if let events = row.eventsOfKind { facts.append(("  \(Quantity.count(events)) events", .dim)) }
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
    // What is wrong comes first: there may be room for a few lines only.
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
