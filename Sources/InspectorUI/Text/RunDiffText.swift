import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// A comparison of two runs of a program as text or JSON, which `rxtop diff A B` prints.
struct RunDiffText {
  let columns: Int
  let filter: String
  let sort: String?
  let limit: Int?
  let glyphs: Glyphs
  let palette: Palette?
  let showsAll: Bool

  /// The maximum number of entries in the list of what got worse, and in each of the other lists.
  private static let most = (worse: 10, others: 5)

  // MARK: Text

  /// Lists of what got worse, better, less and new, remarks on what cannot be compared, and a table
  /// of the lines of code that differ.
  func render(_ after: Inspection, _ base: SiteBase) -> String {
    let comparison = RunComparison(after, since: base)
    let before = base.other ?? Inspection()
    var lines = head(before, after, base)
    if comparison.worse.isEmpty {
      lines += [DocumentLine()]
      lines += DocumentLine.paragraph(
        comparison.nothingWorse(before, after),
        width: columns,
        indent: 0,
        role: .strong
      )
    }
    // A run that is incomplete may only seem to have less.
    let worse = before.program.isIncomplete ? "What seems to have got worse" : "What got worse"
    lines += list(worse, comparison.worse, Self.most.worse)
    if comparison.worse.contains(where: { $0.aspect == .finding }), !after.program.path.isEmpty {
      let path = displayName(after.program.path, columns: 120)
      lines += [DocumentLine("  rxtop check \(path) says why, and what to do", role: .dim)]
    }
    let better = after.program.isIncomplete ? "What seems to have got better" : "What got better"
    lines += list(better, comparison.better, Self.most.others)
    lines += list(
      "What there is less of, which may be good or bad",
      comparison.less,
      Self.most.others
    )
    lines += list("What is new and worth knowing", comparison.informal, Self.most.others)
    lines += remarks(comparison, before, after)
    var counts = DiffView.runCounts(comparison, after, since: base)
    if !showsAll, comparison.rows.contains(where: \.isAlike) { counts += "; --all shows all lines" }
    lines += [DocumentLine()]
    lines += DocumentLine.paragraph(counts, width: columns, indent: 0, role: .dim)
    return draw(lines) + table(comparison)
  }

  private func head(_ before: Inspection, _ after: Inspection, _ base: SiteBase) -> [DocumentLine] {
    func run(_ letter: String, _ name: String, _ run: Inspection) -> DocumentLine {
      let program = displayName(run.program.name, columns: 60)
      return DocumentLine([
        (letter, .strong), ("  \(displayName(name, columns: 120))", .title),
        (
          "  \(program), process \(run.program.processID), \(Quantity.duration(run.instant.time)) at level \(displayName(run.program.levelText, columns: 120))",
          .dim
        ),
      ])
    }
    var lines = [
      run("A", base.name, before), run("B", after.program.path, after),
    ]
    if RunComparison.areOfDifferentPrograms(before, after) {
      lines += DocumentLine.paragraph(
        "These are runs of different programs: only lines that both have can be compared.",
        width: columns,
        indent: 0,
        role: .suspect
      )
    }
    return lines
  }

  private func remarks(_ comparison: RunComparison, _ before: Inspection, _ after: Inspection)
    -> [DocumentLine]
  {
    var lines: [DocumentLine] = []
    for (run, losses) in [("A", before.program.losses), ("B", after.program.losses)] {
      for loss in losses {
        lines += DocumentLine.paragraph(
          "LOST in \(run): \(displayName(loss, columns: 400))",
          width: columns,
          role: .loss
        )
      }
    }
    for remark in comparison.remarks {
      lines += DocumentLine.paragraph(displayName(remark, columns: 600), width: columns)
    }
    guard !lines.isEmpty else { return [] }
    return [DocumentLine(), .heading("What to know about these runs")] + lines
  }

  // MARK: Lists

  /// An entry of a list: one line of code with its changes, or one finding.
  private struct Entry {
    var changes: [RunChange]
    /// Other lines whose number of live subscriptions changed by the same amount.
    var others: [RunChange] = []

    var label: String {
      changes[0].level?.label ?? changes[0].aspect.title
    }

    var role: Role { changes[0].level?.role ?? .suspect }

    var place: String { displayName("\(changes[0].name)@\(changes[0].location)", columns: 60) }

    var text: String {
      let texts = changes.enumerated().map { place, change in
        // The label of the entry already contains the title of its first change.
        let title = place == 0 ? change.aspect.title + " " : ""
        return change.text.hasPrefix(title)
          ? String(change.text.dropFirst(title.count)) : change.text
      }
      var text = displayName(texts.joined(separator: "; "), columns: 400)
      if let first = others.first {
        let place = displayName("\(first.name)@\(first.location)", columns: 60)
        text += "; as many \((growth ?? 0) < 0 ? "fewer" : "more") at \(place)"
        if others.count > 1 {
          text += " and \(Quantity.of(others.count - 1, "other line", "other lines"))"
        }
      }
      return text
    }

    /// The growth of the live count, if the entry begins with that count.
    var growth: Double? {
      guard changes[0].aspect == .live, let before = changes[0].before, let after = changes[0].after
      else { return nil }
      return after - before
    }
  }

  /// Makes one entry for each finding and each line of code.
  ///
  /// Lines that follow each other in the list, and whose numbers of live subscriptions changed by
  /// the same amount, such as the operators of a chain, become a single entry.
  private func entries(_ changes: [RunChange]) -> [Entry] {
    var entries: [Entry] = []
    for change in changes {
      if change.aspect != .finding, let last = entries.last?.changes.last, last.aspect != .finding,
        (last.site, last.name, last.location) == (change.site, change.name, change.location)
      {
        entries[entries.count - 1].changes.append(change)
      } else {
        entries.append(Entry(changes: [change]))
      }
    }
    var folded: [Entry] = []
    for entry in entries {
      if let growth = entry.growth, folded.last?.growth == growth {
        folded[folded.count - 1].others.append(entry.changes[0])
      } else {
        folded.append(entry)
      }
    }
    return folded
  }

  private func list(_ title: String, _ changes: [RunChange], _ most: Int) -> [DocumentLine] {
    guard !changes.isEmpty else { return [] }
    let entries = entries(changes)
    let shown = entries.prefix(most)
    let label = shown.map(\.label.count).max() ?? 0
    let place = min(columns / 3, shown.map { CellWidth.of($0.place) }.max() ?? 0)
    var lines = [DocumentLine(), DocumentLine.heading(title)]
    for entry in shown {
      let name = Fitting.middle(entry.place, place, glyphs)
      let indent = 2 + label + 2 + place + 2
      let texts = Fitting.wrap(glyphs.text(entry.text), max(20, columns - indent))
      for (index, text) in texts.enumerated() {
        guard index == 0 else {
          lines.append(DocumentLine(String(repeating: " ", count: indent) + text))
          continue
        }
        lines.append(
          DocumentLine([
            ("  \(Self.padded(entry.label, label))  ", entry.role),
            ("\(Self.padded(name, place))  ", .strong), (text, .text),
          ])
        )
      }
    }
    if entries.count > shown.count {
      lines.append(DocumentLine("  and \(entries.count - shown.count) more", role: .dim))
    }
    return lines
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - CellWidth.of(text)))
  }

  private func draw(_ lines: [DocumentLine]) -> String {
    let longest = lines.map { CellWidth.of($0.text) }.max() ?? 0
    var frame = Frame(size: Size(columns: max(columns, longest), rows: lines.count), glyphs: glyphs)
    for (row, line) in lines.enumerated() { DocumentScreens.draw(line, &frame, row: row, glyphs) }
    return ANSIText(palette: palette).render(frame)
  }

  // MARK: Rows

  private func rows(_ comparison: RunComparison) -> (all: [DiffRow], list: RowList) {
    let rows = showsAll ? comparison.rows : comparison.rows.filter { !$0.isAlike }
    let table = DiffView.runTable(glyphs)
    let list = table.arrange(
      rows,
      id: DiffView.id,
      filter: RowFilter(filter),
      sort: order ?? table.defaultSort
    )
    return (rows, list)
  }

  private var order: SortOrder? {
    sort.flatMap { SortOrder($0, in: DiffView.runTable(glyphs).sortable) }
  }

  private func table(_ comparison: RunComparison) -> String {
    let (rows, list) = rows(comparison)
    guard list.count > 0 else { return list.total > 0 ? "No row passes the filter.\n" : "" }
    return DiffView.runTable(glyphs).renderAll(
      rows,
      list,
      sort: order,
      columns: columns,
      limit: limit,
      ANSIText(palette: palette)
    )
  }

  // MARK: JSON

  /// Writes the fields of a comparison of two traces: the runs, the lists, and the rows.
  func write(_ after: Inspection, _ base: SiteBase, to json: inout JSONWriter) {
    let comparison = RunComparison(after, since: base)
    let before = base.other ?? Inspection()
    json.array("runs", [(base.name, before), (after.program.path, after)]) { json, run in
      let (name, inspection) = run
      json.object { json in
        json.field("trace", name)
        json.field("program", inspection.program.name)
        json.field("processID", inspection.program.processID)
        json.field("duration", inspection.instant.time)
        json.field("level", inspection.program.level.schemaName)
        json.field("isIncomplete", inspection.program.isIncomplete)
        json.field("losses", inspection.program.losses)
      }
    }
    json.rows("worse", RunChange.columns, comparison.worse)
    json.rows("better", RunChange.columns, comparison.better)
    json.rows("less", RunChange.columns, comparison.less)
    json.rows("informal", RunChange.columns, comparison.informal)
    json.field("remarks", comparison.remarks)
    let (rows, list) = rows(comparison)
    json.rows("rows", DiffRow.runColumns, list.places.prefix(limit ?? .max).map { rows[$0] })
  }
}
