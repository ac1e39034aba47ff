import TraceFindings
import TraceModel
import TraceReading

/// The backtraces of a report: backtraces of the entities that findings accuse, and a section with
/// backtraces of live root subscriptions.
///
/// A chain is the row of an asynchronous backtrace in the trace.
struct ReportStacks {
  struct Stack {
    var title: String
    var lines: [String]
  }

  private struct Group {
    var place: String
    var count: Int
    var lines: [String]
  }

  private let inspection: Inspection
  private var known: [UInt32: [String]] = [:]
  private var groups: [Group] = []
  /// The number of live root subscriptions with a chain, and the number of distinct pairs of a
  /// chain and a site among them.
  private var counted = (live: 0, chains: 0)

  /// The maximum numbers of groups in the page, of chains that are looked up for them, and of lines
  /// of each backtrace.
  private static let limit = (groups: 24, chains: 400, lines: 120)

  /// Once the page has this number of bytes, further backtraces are left out.
  private static let byteLimit = 4 << 20

  init(_ inspection: Inspection, _ source: inout TraceSource) {
    self.inspection = inspection
    for finding in inspection.findings.prefix(ReportFindings.limit) {
      guard let chain = chain(of: finding)?.chain, known[chain] == nil else { continue }
      known[chain] = source.backtrace(of: chain)
    }
    group(&source)
  }

  // MARK: Of findings

  /// The backtrace of the entity that a finding accuses; nil if it was not recorded.
  func stack(of finding: Finding) -> Stack? {
    guard let (title, chain) = chain(of: finding), let lines = known[chain], !lines.isEmpty else {
      return nil
    }
    return Stack(title: title, lines: lines)
  }

  /// The chain of the accused entity, or else of the oldest subscription for the caller with the
  /// most accused ones, or else of a subscription of the accused site.
  ///
  /// If a subscription has no chain, the chain of its root is used.
  private func chain(of finding: Finding) -> (title: String, chain: UInt32)? {
    var keys = [finding.subject, finding.callers?.shares.first?.oldest].compactMap(\.self)
    keys += inspection.subscriptionRows.keys(ofSite: finding.site, limit: 1)
    for key in keys {
      if let timer = inspection.timer(key), timer.chain != 0 {
        return ("timer \(key.label) was armed from", timer.chain)
      }
      guard let row = inspection.subscription(key) else { continue }
      if row.chain != 0 { return ("\(key.label) was subscribed from", row.chain) }
      if let root = row.root.flatMap(inspection.subscription), root.chain != 0 {
        return ("\(root.key.label), to which it belongs, was subscribed from", root.chain)
      }
    }
    return nil
  }

  // MARK: Of live subscriptions

  /// Groups the live root subscriptions whose site and backtrace have the same text.
  private mutating func group(_ source: inout TraceSource) {
    struct Origin: Hashable {
      var chain: UInt32
      var site: UInt32
    }
    var counts: [Origin: Int] = [:]
    let rows = inspection.subscriptionRows
    for index in 0..<rows.count {
      let row = rows[index]
      guard row.isRoot, row.chain != 0, row.state?.isLive != false else { continue }
      counts[Origin(chain: row.chain, site: row.site), default: 0] += 1
      counted.live += 1
    }
    counted.chains = counts.count
    let busiest = counts.sorted {
      ($1.value, $0.key.chain, $0.key.site) < ($0.value, $1.key.chain, $1.key.site)
    }
    var places: [String: Int] = [:]
    for (origin, count) in busiest.prefix(Self.limit.chains) {
      let lines = known[origin.chain] ?? source.backtrace(of: origin.chain)
      known[origin.chain] = lines
      guard !lines.isEmpty else { continue }
      let place = inspection.site(origin.site)?.label ?? Quantity.unknown
      let key = ([place] + lines).joined(separator: "\n")
      if let place = places[key] {
        groups[place].count += count
      } else {
        places[key] = groups.count
        groups.append(Group(place: place, count: count, lines: lines))
      }
    }
    groups.sort { ($1.count, $0.place) < ($0.count, $1.place) }
  }

  func write(_ html: inout HTMLWriter) {
    html.section("backtraces", "Backtraces") { html in
      guard !groups.isEmpty else {
        return html.element(
          "p",
          text: counted.live == 0
            ? "No backtrace of a subscription that lives was recorded."
            : "The recording does not hold the backtraces of what lives."
        )
      }
      let shown = groups.prefix(Self.limit.groups)
      html.element(
        "p",
        text:
          "From where the program subscribed to what lives at the end: \(Quantity.of(counted.live, "subscription", "subscriptions")), the most frequent backtrace first."
      )
      for group in shown {
        html.raw("\n")
        html.element("details") { html in
          html.element(
            "summary",
            text:
              "\(Quantity.of(group.count, "live subscription", "live subscriptions")) at \(group.place)"
          )
          write(group.lines, upTo: Self.byteLimit, &html)
        }
      }
      let count = shown.reduce(0) { $0 + $1.count }
      if count < counted.live {
        html.element("p") {
          $0.prose(
            "\(Quantity.of(counted.live - count, "subscription", "subscriptions")) of other backtraces are left out; `rxtop dump --backtraces \(inspection.program.fileName)` prints all."
          )
        }
      }
    }
  }

  /// Writes a backtrace folded to the program's own functions, followed by all of its lines; writes
  /// only a sentence if the page has become too long.
  func write(_ lines: [String], upTo limit: Int, _ html: inout HTMLWriter) {
    guard html.bytes.count < limit else {
      return html.element("p") {
        $0.prose(
          "It is left out, as the page is long; `rxtop dump --backtraces \(inspection.program.fileName)` prints all."
        )
      }
    }
    let folded = AsyncBacktraceText.folded(lines)
    Self.writeLines(folded, &html)
    guard folded.count < lines.count else { return }
    html.element("details") { html in
      html.element("summary", text: "All \(lines.count) lines")
      Self.writeLines(lines, &html)
    }
  }

  private static func writeLines(_ lines: [String], _ html: inout HTMLWriter) {
    html.element("ol", ["class": "stack"]) { html in
      for line in lines.prefix(limit.lines) {
        html.element("li", ["class": line.hasPrefix("…") ? "hop" : "frame"]) {
          $0.text(line, columns: 400)
        }
      }
      if lines.count > limit.lines {
        html.element(
          "li",
          ["class": "hop"],
          text: "… \(lines.count - limit.lines) more lines are left out"
        )
      }
    }
  }
}
