import TraceFindings
import TraceModel
import TraceReading

/// The backtraces of a report: backtraces of the entities that findings accuse, and a section with
/// backtraces of live root subscriptions.
///
/// In this file, a chain is the number of a row in the trace's table of asynchronous backtraces; 0
/// means that there is none.
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
  /// The number of live root subscriptions with a chain.
  private var live = 0

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

  /// The chain of the entity that the finding accuses.
  ///
  /// If that has none, it is the chain of the oldest accused subscription that was made for the
  /// caller with the largest number of accused subscriptions; failing that, of one subscription of
  /// the finding's site.
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
      live += 1
    }
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
          text: live == 0
            ? "No backtrace of a live root subscription was recorded."
            : "Live subscriptions have backtraces, but the recording does not contain them."
        )
      }
      let shown = groups.prefix(Self.limit.groups)
      html.element(
        "p",
        text:
          "Where the program made the \(Quantity.of(live, "root subscription that is", "root subscriptions that are")) live at the end; the most frequent backtrace comes first."
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
      if count < live {
        html.element("p") {
          $0.prose(
            "\(Quantity.of(live - count, "more live subscription is", "more live subscriptions are")) not shown here; `rxtop dump --backtraces \(inspection.program.fileName)` prints all backtraces."
          )
        }
      }
    }
  }

  /// Writes the lines of a backtrace that belong to the program, with one line in place of the
  /// others of each stack, and then, collapsed, all lines, unless none was left out.
  ///
  /// If the page is already too long, this writes only a sentence that says so.
  func write(_ lines: [String], upTo limit: Int, _ html: inout HTMLWriter) {
    guard html.bytes.count < limit else {
      return html.element("p") {
        $0.prose(
          "This backtrace is left out because the page is already long; `rxtop dump --backtraces \(inspection.program.fileName)` prints all backtraces."
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
