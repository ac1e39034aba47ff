import TraceFindings
import TraceModel
import TraceReading

/// The comparison of the recording with an earlier one, as `rxtop diff` prints it.
struct ReportComparison {
  private let comparison: RunComparison
  private let before: Inspection
  private let after: Inspection

  /// The maximum numbers of entries in lists, and of rows in the table.
  private static let limit = (list: 20, rows: 200)

  init(
    _ before: Inspection,
    _ after: Inspection,
    waits: (earlier: WaitReport?, later: WaitReport?)
  ) {
    (self.before, self.after) = (before, after)
    let base = SiteBase(before, of: after, name: before.program.fileName, waits: waits)
    comparison = RunComparison(after, since: base)
  }

  func write(_ html: inout HTMLWriter) {
    html.section("comparison", "Comparison with an earlier run") { html in
      html.element(
        "p",
        text: "A, the earlier run, is \(Self.words(before)). B is \(Self.words(after))."
      )
      if RunComparison.areOfDifferentPrograms(before, after) {
        html.element(
          "p",
          ["class": "warning"],
          text: "These are runs of different programs: only lines that both have can be compared."
        )
      }
      if comparison.worse.isEmpty {
        html.element("p", text: comparison.nothingWorse(before, after))
      }
      // A run that is incomplete may only seem to have less.
      write(
        before.program.isIncomplete ? "What seems to have got worse" : "What got worse",
        comparison.worse,
        &html
      )
      write(
        after.program.isIncomplete ? "What seems to have got better" : "What got better",
        comparison.better,
        &html
      )
      write("What there is less of, which may be good or bad", comparison.less, &html)
      write("What is new and worth knowing", comparison.informal, &html)
      let losses = [("A", before), ("B", after)].flatMap { letter, run in
        run.program.losses.map { "Lost in \(letter): \($0)" }
      }
      if !losses.isEmpty || !comparison.remarks.isEmpty {
        html.element("h3", text: "What to know about these runs")
        html.list(losses + comparison.remarks)
      }
      writeRows(&html)
    }
  }

  private static func words(_ run: Inspection) -> String {
    "\(run.program.fileName): \(displayName(run.program.name, columns: 60)), process \(run.program.processID), \(Quantity.duration(run.instant.time)) at level \(run.program.level.schemaName)"
  }

  private func write(_ title: String, _ changes: [RunChange], _ html: inout HTMLWriter) {
    guard !changes.isEmpty else { return }
    html.element("h3", text: title)
    let lines = Self.lines(changes)
    html.element("ul") { html in
      for line in lines.prefix(Self.limit.list) {
        let change = line[0]
        html.element("li") { html in
          if let level = change.level {
            html.element("span", ["class": "level \(level.label.lowercased())"], text: level.label)
            html.raw(" ")
          }
          html.element("strong") { $0.text("\(change.name)@\(change.location)", columns: 120) }
          html.raw(" ")
          html.text(line.map(\.text).joined(separator: "; "), columns: 600)
        }
      }
    }
    let rest = lines.count - Self.limit.list
    if rest > 0 { html.element("p") { $0.prose("\(rest) more: \(command).") } }
  }

  /// Groups consecutive changes of the same line of code; each finding is a group of its own.
  private static func lines(_ changes: [RunChange]) -> [[RunChange]] {
    var lines: [[RunChange]] = []
    for change in changes {
      if let last = lines.last?.last, last.aspect != .finding, change.aspect != .finding,
        (last.site, last.name, last.location) == (change.site, change.name, change.location)
      {
        lines[lines.count - 1].append(change)
      } else {
        lines.append([change])
      }
    }
    return lines
  }

  private var command: String {
    "`rxtop diff \(before.program.fileName) \(after.program.fileName)`"
  }

  private func writeRows(_ html: inout HTMLWriter) {
    let differing = comparison.rows.filter { !$0.isAlike }.enumerated()
      .sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }.map(\.element)
    let alike = comparison.rows.count - differing.count
    guard !differing.isEmpty else {
      return html.element(
        "p",
        text: "All \(Quantity.of(alike, "line", "lines")) of code are alike in both."
      )
    }
    html.element("h3", text: "Lines of code that differ")
    let table = ReportTable(DiffRow.runColumns, Array(differing.prefix(Self.limit.rows)))
    table.write(
      "comparison-table",
      "Lines of code in A and in B",
      sorted: ["verdict"],
      &html
    ) { _ in nil }
    let rest = differing.count - Self.limit.rows
    var words = "\(Quantity.of(alike, "line is", "lines are")) alike in both."
    if rest > 0 { words += " \(rest) more that differ are left out; \(command) prints all." }
    html.element("p") { $0.prose(words) }
    table.writeMeanings(&html)
  }
}
