import TraceFindings
import TraceModel
import TraceReading

/// The screen Diff, which shows what has increased and decreased at each line of code, since an
/// earlier moment or in comparison with another trace.
enum DiffView: TableScreen {
  static var isQueried: Bool { true }
  static var columns: [Column<DiffRow>] { DiffRow.columns }
  static var defaultSort: SortOrder? { SortOrder(column: "change", ascending: false) }

  /// The moment to compare with: the moment that the key D has set, or else ``firstMark(_:)``, or
  /// else the beginning.
  static func base(_ model: Model) -> Position {
    if let position = model.comparedWith { return position }
    return firstMark(model.inspection).map { .mark($0.id) } ?? .time(.zero)
  }

  /// The first mark that the program has named, or else the first that the recorder has set by
  /// itself; nil if there is no mark up to the moment that is shown.
  static func firstMark(_ inspection: Inspection) -> MarkRow? {
    inspection.marks.first { !$0.name.isEmpty } ?? inspection.marks.first
  }

  /// The name of the base on the screen, which says why it was chosen if the user has not chosen
  /// it: `the first named mark, 'round 1' at 0.200 s`, or, if it is to be short,
  /// `the first mark 'round 1'`.
  private static func label(_ base: SiteBase, _ model: Model, isShort: Bool) -> String {
    guard model.comparedWith == nil, model.otherTrace == nil,
      let mark = firstMark(model.inspection), mark.name == base.name
    else { return base.label }
    if mark.name.isEmpty { return "the first automatic mark, at \(base.label)" }
    return isShort
      ? "the first mark '\(displayName(mark.name, columns: 30))'"
      : "the first named mark, \(base.label)"
  }

  /// The state to compare with, of another trace or of an earlier moment; nil until the answer
  /// about that moment arrives.
  private static func base(of model: Model) -> SiteBase? { model.otherTrace ?? model.base }

  /// The comparison with another trace; nil if Diff compares with an earlier moment.
  private static func comparison(_ model: Model) -> RunComparison? {
    guard let other = model.otherTrace, other.isOtherTrace else { return nil }
    return RunComparison(model.inspection, since: other)
  }

  static func table(of model: Model) -> Table<DiffRow> {
    model.otherTrace?.isOtherTrace == true ? runTable(model.glyphs) : table(model.glyphs)
  }

  /// The table of lines of code in two runs, worst first.
  static func runTable(_ glyphs: Glyphs) -> Table<DiffRow> {
    Table(DiffRow.runColumns, glyphs, sort: SortOrder(column: "what", ascending: false))
  }

  static func rows(_ model: Model) -> [DiffRow] {
    if let comparison = comparison(model) { return comparison.rows.filter { !$0.isAlike } }
    guard let base = base(of: model) else { return [] }
    return DiffRow.rows(model.inspection, since: base).filter { !$0.isUnchanged }
  }

  static func id(_ row: DiffRow) -> RowID { row.site.map(RowID.site) ?? .finding(row.name) }
  static func belongs(_ row: DiffRow, to scope: Scope, in inspection: Inspection) -> Bool {
    row.site.map { scope == .site($0) } ?? false
  }
  static func subject(of row: DiffRow) -> Scope? { row.site.map(Scope.site) }
  static func target(of row: DiffRow, in inspection: Inspection) -> Place? {
    guard let site = row.site else { return nil }
    let hasRows = !inspection.subscriptionRows.keys(ofSite: site, limit: 1).isEmpty
    return Place(hasRows ? .subscriptions : .detail, scope: .site(site))
  }

  static func summary(_ model: Model) -> String {
    guard let base = base(of: model) else { return "looking at the records" }
    if let comparison = comparison(model) {
      return "since \(base.label): \(runCounts(comparison, model.inspection, since: base))"
    }
    let rows = DiffRow.rows(model.inspection, since: base)
    func text(isShort: Bool) -> String {
      let label = label(base, model, isShort: isShort)
      return counts(rows, model.inspection, since: base, named: label, isShort: isShort)
    }
    // Beside the summary, the screen shows which of the rows are visible.
    let long = text(isShort: false)
    let text = CellWidth.of(long) + 16 > model.size.columns ? text(isShort: true) : long
    return reason(rows, model.inspection).map { "\(text). \($0)" } ?? text
  }

  /// A summary: how memory has changed, and at how many lines of code the number of live
  /// subscriptions, timers or owners has grown, shrunk, stayed the same, or is unknown.
  ///
  /// Memory comes first, because a narrow terminal cuts off the end of the line. The short form
  /// does not say at which marks memory is known.
  static func counts(
    _ rows: [DiffRow],
    _ after: Inspection,
    since base: SiteBase,
    named label: String? = nil,
    isShort: Bool = false
  ) -> String {
    let grown = rows.count { ($0.change ?? 0) > 0 }
    let shrunk = rows.count { ($0.change ?? 0) < 0 }
    let same = rows.count { $0.isUnchanged }
    let unknown = rows.count { $0.change == nil }
    let memory =
      isShort ? memoryChange(after, since: base)?.text : memory(after, since: base)
    return "since \(label ?? base.label): \(memory.map { $0 + "; " } ?? "")"
      + "\(grown) grew, \(shrunk) shrank, \(same) unchanged"
      + (unknown > 0 ? ", \(unknown) unknown" : "")
      + (hasMemory(after, base) ? "" : "; memory was not recorded")
  }

  /// A summary of a comparison with another trace: how many lines of code differ, and in which way,
  /// and how memory has changed.
  static func runCounts(_ comparison: RunComparison, _ after: Inspection, since base: SiteBase)
    -> String
  {
    let rows = comparison.rows
    let counts = [
      (rows.count { !$0.worse.isEmpty }, "worse"), (rows.count { !$0.better.isEmpty }, "better"),
      (rows.count { !$0.less.isEmpty }, "with less"),
      (rows.count(where: \.isOnlyAfter), "only in B"),
      (rows.count(where: \.isOnlyBefore), "only in A"),
      (rows.count(where: \.mayBeChance), "that may be chance"),
      (rows.count(where: \.isAlike), "alike"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return Quantity.of(rows.count, "line of code", "lines of code")
      + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", "))
      + (memory(after, since: base).map { "; \($0)" } ?? "")
      + (hasMemory(after, base) ? "" : "; memory was not recorded")
  }

  /// A text about how the heap and the resident memory have changed; nil if it is not known.
  ///
  /// Memory is known only at marks. If the compared moments are not marks, the text says which
  /// marks are used instead.
  private static func memory(_ after: Inspection, since base: SiteBase) -> String? {
    guard let change = memoryChange(after, since: base), let before = base.memory,
      let now = after.memory
    else { return nil }
    if before.time == base.time, now.time == after.instant.time { return change.text }
    let (from, to) = (Quantity.moment(before.time), Quantity.moment(now.time))
    return base.isOtherTrace
      ? "\(change.text) at the last marks, at \(from) and \(to)"
      : "\(change.text) from the mark at \(from) to that at \(to)"
  }

  /// How memory has changed from the mark of the base to the latest mark; nil if it is not known.
  static func memoryChange(_ after: Inspection, since base: SiteBase) -> MemoryChange? {
    guard let before = base.memory, let now = after.memory,
      base.isOtherTrace || now.time > before.time
    else { return nil }
    let change = now.change(since: before)
    return change.isUnknown ? nil : change
  }

  /// Whether memory was recorded at marks; also true if there are no marks.
  private static func hasMemory(_ after: Inspection, _ base: SiteBase) -> Bool {
    after.allMarks.isEmpty || base.memory != nil || after.allMarks.contains { $0.memory != nil }
  }

  /// A sentence that says why some figures are unknown and what to do about it; nil if all figures
  /// are known.
  static func reason(_ rows: [DiffRow], _ inspection: Inspection) -> String? {
    let unknown = rows.filter { $0.change == nil }
    guard !unknown.isEmpty else { return nil }
    // Marks count subscriptions only, so sites of timers and owners have no figures at marks.
    let isInMarks = unknown.contains { $0.kind == .subscriptions }
    var known: [String] = []
    if isInMarks, let mark = inspection.marks.first(where: { !$0.name.isEmpty }) {
      known.append(
        "marks, as '\(displayName(mark.name, columns: 30))', which count live subscriptions"
      )
    }
    if let window = inspection.program.exactWindow {
      let span = Quantity.duration(window.upperBound - window.lowerBound)
      known.append("moments of the last \(span), which are exact")
    }
    let cause = inspection.program.isIncomplete ? "The trace lacks" : "The ring has overwritten"
    let what = isInMarks ? "lines" : "timers and owners, which marks do not count"
    let advice =
      known.isEmpty ? "a larger size= keeps more" : "compare " + known.joined(separator: ", or ")
    return "\(cause) the records of the unknown \(what): \(advice)."
  }

  static func emptiness(_ model: Model) -> [String] {
    guard let base = base(of: model) else { return ["Looking at the records …"] }
    if base.isOtherTrace {
      return ScreenFrame.reasons(
        ["No line of code differs by more than chance and the lengths of the runs explain."],
        model
      )
    }
    var lines = ["No change: the same number is alive at each line of code."]
    if model.otherTrace != nil { return lines }
    lines[0] =
      "Nothing has changed since \(base.label): each line has the same number of live "
      + "subscriptions, timers and owners. Signals are not compared."
    lines.append(
      model.inspection.marks.count < 2
        ? "Trace.mark(\"…\") in the program, or D here, sets a moment to compare with; then let it run on."
        : "b and B go to other marks; D compares with the moment shown."
    )
    lines.append(":diff FILE compares this run with another recording, or a process.")
    return ScreenFrame.reasons(lines, model)
  }
}
