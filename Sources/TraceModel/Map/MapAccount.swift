internal import TraceReading

/// The texts and figures that a node of a map shows at an instant.
package struct MapAccount: Sendable {
  /// The name of the operator, of the operators of a chain, or of the file.
  package var name = ""
  /// The names that the program gave to signals of its lines.
  package var givenNames: [String] = []
  /// `File.swift:88`, `File.swift:88–99`, or a number of lines.
  package var place = ""
  /// The place without the ending `.swift`.
  package var shortPlace: String { place.replacing(".swift", with: "") }
  /// The number of live instances of the line that has the most.
  package var live: UInt64?
  /// Events per second in the last seconds, counted where they leave the node; for a file or a
  /// module, those of its busiest line.
  package var rate: Double?
  /// The time since the latest event left the node.
  package var lastEventAge: Duration?
  /// The worst finding about any of its lines.
  package var worst: FindingLevel?
  /// The greatest change of the live instances of one of its lines since the latest mark.
  package var growth = 0
  /// The number of subscriptions that ended with a failure, of the line that has the most.
  package var failed: UInt64 = 0
  /// The tag that a user gave to one of its lines.
  package var tag: String?
  /// The scheduler that all of its lines share.
  package var scheduler: String?

  /// Creates the account of a node.
  package init(_ node: ProgramMap.Node, in inspection: Inspection) {
    let rows = node.sites.compactMap(inspection.site)
    guard let last = rows.last, let first = rows.first else { return }
    givenNames = rows.compactMap(\.givenName)
    // The name that the program gave to a signal says more than the name of the operator.
    name = rows.map { row in
      row.givenName.map { rows.count == 1 ? "\($0) · \(row.name)" : $0 } ?? row.name
    }.joined(separator: " › ")
    place = last.location
    var isFile = false
    switch node.id {
    case .line: break
    case .chain: place = Self.range(first, last)
    case .file(let file):
      name = String(file.split(separator: "/").last ?? "?")
      place = Quantity.of(rows.count, "line", "lines")
      isFile = true
    case .module(let module):
      name = module
      place = Quantity.of(rows.count, "line", "lines")
      isFile = true
    }
    live = rows.compactMap(\.liveOfKind).max()
    rate = isFile ? rows.compactMap(\.rate).max() : last.rate
    lastEventAge = last.lastEventAge
    worst = rows.compactMap(\.worst).max()
    tag = rows.compactMap(\.tag).first
    growth = rows.compactMap(\.growthSinceMark).max() ?? 0
    let reason = Int(EndReason.failed.rawValue)
    failed =
      rows.map { $0.endedByReason.indices.contains(reason) ? $0.endedByReason[reason] : 0 }.max()
      ?? 0
    let schedulers = Set(rows.map(\.scheduler))
    scheduler = schedulers.count == 1 ? schedulers.first ?? nil : nil
  }

  /// `Feed.swift:81–99`, or both places if they are in different files.
  private static func range(_ first: SiteRow, _ last: SiteRow) -> String {
    guard first.file == last.file else { return "\(first.location) › \(last.location)" }
    let lines = (min(first.line, last.line), max(first.line, last.line))
    return lines.0 == lines.1
      ? first.location : "\(first.location.prefix { $0 != ":" }):\(lines.0)–\(lines.1)"
  }
}
