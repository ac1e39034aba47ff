import TraceModel
internal import TraceReading

/// For a line of code, the lines that caused its events and the lines that its events affected.
struct LineFlow {
  struct Entry {
    /// The site that caused the events or was affected; nil for events whose cause is not known.
    var site: UInt32?
    var label: String
    /// The number of events, such as `160 of 161`.
    var text: String
  }

  /// The causes and the effects; each list is sorted by the number of events, the greatest first.
  let causes: [Entry]
  let effects: [Entry]
  /// The length of the examined period.
  let span: String

  init(_ row: SiteRow, _ report: FlowReport, _ inspection: Inspection) {
    func label(_ site: UInt32) -> String { inspection.site(site)?.label ?? "?" }
    func sorted(_ counts: [(site: UInt32, count: UInt64)]) -> [(site: UInt32, count: UInt64)] {
      counts.sorted { ($1.count, $0.site) < ($0.count, $1.site) }
    }
    span = Quantity.duration(report.to - report.from)
    let origins = report.origins[row.id] ?? [:]
    let others = sorted(origins.filter { $0.key != row.id }.map { ($0.key, $0.value) })
    let total = report.events(ofSite: row.id)
    var causes = others.map { site, count in
      Entry(
        site: site,
        label: label(site),
        text: "\(Quantity.count(count)) of \(Quantity.count(total))"
      )
    }
    let followed = origins.values.reduce(0, +)
    if !causes.isEmpty, followed < total {
      causes.append(
        Entry(
          site: nil,
          label: "an unknown cause, such as values replayed to late subscribers",
          text: "\(Quantity.count(total - followed)) of \(Quantity.count(total))"
        )
      )
    }
    self.causes = causes
    let reached = report.origins.compactMap { site, origins -> (site: UInt32, count: UInt64)? in
      guard site != row.id, let count = origins[row.id],
        inspection.site(site)?.traits.contains(.root) == true
      else { return nil }
      return (site, count)
    }
    let sent = report.sent.filter { Packing.high($0.key) == row.id }
      .map { (site: Packing.low($0.key), count: $0.value) }
    effects = sorted(reached + sent).map { site, count in
      Entry(site: site, label: label(site), text: Quantity.count(count))
    }
  }

  /// The causes and the effects as lines of text; Enter on an entry opens its line of code.
  var lines: [DocumentLine] {
    func section(_ heading: String, _ word: String, _ entries: [Entry]) -> [DocumentLine] {
      guard !entries.isEmpty else { return [] }
      return [.heading("\(heading), in the last \(span)")]
        + entries.prefix(16).map { entry in
          DocumentLine(
            [("  \(entry.text) \(word) ", .dim), (entry.label, .text)],
            target: entry.site.map { Place(.detail, scope: .site($0)) }
          )
        }
        + (entries.count > 16 ? [DocumentLine("  and \(entries.count - 16) more", role: .dim)] : [])
    }
    return section("What its events came from", "from", causes)
      + section("What they led to", "to", effects)
  }
}
