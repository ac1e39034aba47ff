import TraceFindings
import TraceModel
import TraceReading

/// The screen Findings: what is wrong or probably wrong, worst first.
///
/// The selected finding is explained below the list.
enum FindingsView: TableScreen {
  static var columns: [Column<Finding>] { Finding.columns }

  static func rows(_ model: Model) -> [Finding] { model.inspection.findings }
  static func id(_ row: Finding) -> RowID { .finding(row.id) }
  static func belongs(_ row: Finding, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.site)
  }

  static func subject(of row: Finding) -> Scope? {
    guard let key = row.subject else { return .site(row.site) }
    return switch row.subjectKind {
    case .signal: .signal(key)
    case .timer: .timer(key)
    case .owner: .owner(key)
    case .subscription, .none: .subscription(key)
    }
  }

  /// The accused line on Sites, from which the user can reach everything else about the line.
  static func target(of row: Finding, in inspection: Inspection) -> Place? {
    var place = Place(.sites)
    place.list.selected = .site(row.site)
    return place
  }

  /// The record that a finding leads to: the first of its evidence, or for a crash the last one,
  /// which shows what happened just before the crash.
  static func event(of row: Finding) -> UInt64? {
    row.kind == .crash ? row.evidence.events.last : row.evidence.events.first
  }

  static func summary(_ model: Model) -> String {
    let findings = model.inspection.findings
    let counts = FindingLevel.allCases.reversed().compactMap { level -> String? in
      let count = findings.count { $0.level == level }
      return count == 0 ? nil : "\(count) \(level.label)"
    }
    let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    let isPast = !model.inspection.instant.isEnd && !findings.isEmpty
    let counted =
      isPast ? found + "; findings are about the whole recording, not this moment" : found
    guard model.inspection.program.hasDied else { return counted }
    return "\(counted); \(displayName(model.inspection.program.statusText, columns: 400))"
  }

  static func emptiness(_ model: Model) -> [String] {
    let program = model.inspection.program
    let sentence =
      program.status == .elsewhere
      ? "Nothing was found, but the recording was not stopped: the program may have died."
      : "No problems found in this recording."
    if program.hasDied {
      return [
        "Nothing else was found, but the program did not end cleanly"
          + (program.isIncomplete ? ", and the recording is incomplete." : "."),
        displayName(program.statusText, columns: 400),
      ]
    }
    guard program.isIncomplete else {
      if !model.inspection.doubts.isEmpty {
        return ["Nothing was found, but not all could be judged."]
          + model.inspection.doubts.map { displayName($0, columns: 400) }
      }
      if program.status == .elsewhere {
        return [sentence, "rxtop explain FILE crash shows what was under way."]
      }
      let growth =
        model.isRunning
        ? " Growth shows after a few marks: let the program run, and look again."
        : " Growth shows in a longer one, or one with a few Trace.mark(\"…\") in it."
      return [
        sentence + (model.inspection.isShortForGrowth ? growth : ""),
        "If a value does not arrive, or arrives too often, ask rxtop explain FILE subscription FILE.swift:LINE.",
      ]
    }
    return [
      program.status == .elsewhere
        ? "Nothing was found, but the recording was not stopped, and it is incomplete, so this proves nothing."
        : "Nothing was found, but the recording is incomplete, so this proves nothing.",
      ScreenFrame.lossLabel
        + displayName(model.inspection.program.losses.joined(separator: "; "), columns: 400),
    ]
  }

  /// The accused line of code, preceded by the blamed caller if there is one.
  static func headline(_ finding: Finding) -> String {
    let place = displayName("\(finding.name)@\(finding.location)", columns: 120)
    guard let caller = finding.blamedCaller else { return place }
    return "\(displayName(caller.label, columns: 120)) by \(place)"
  }

  /// Draws the selected finding in full below the list.
  static func explain(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    let list = model.place.list
    guard layout.explanation.count > 0, model.rows.places.indices.contains(list.index) else {
      return
    }
    let finding = model.inspection.findings[model.rows.places[list.index]]
    let width = frame.size.columns
    let rule = String(repeating: model.glyphs.rule, count: width)
    frame.put(rule, row: layout.explanation.lowerBound - 1, column: 0, role: .dim)
    var lines = lines(finding, width: width, model.glyphs)
    let room = layout.explanation.count
    if lines.count > room {
      let left = Quantity.of(lines.count - room + 1, "line", "lines")
      lines[room - 1] = DocumentLine("\(left) more: rxtop check prints all", role: .dim)
    }
    for (row, line) in zip(layout.explanation, lines) {
      DocumentScreens.draw(line, &frame, row: row, model.glyphs)
    }
  }

  /// The steps of the proof of a finding as a sentence.
  private static func proof(_ finding: Finding) -> String {
    guard let last = finding.proof.last else { return "" }
    let first = finding.proof.dropLast()
    return first.isEmpty
      ? "for \(last)." : "for \(first.joined(separator: ", ")), and \(last)."
  }

  static func lines(_ finding: Finding, width: Int, _ glyphs: Glyphs) -> [DocumentLine] {
    // A narrow screen has no room for a column of labels.
    let indent = width < 60 ? 0 : 10
    func label(_ name: String) -> String {
      name + String(repeating: " ", count: max(1, indent - name.count))
    }
    func paragraph(_ name: String, _ text: String, _ role: Role = .text) -> [DocumentLine] {
      let wrapped = Fitting.wrap(displayName(text, columns: 2000), max(20, width - indent))
      return wrapped.enumerated().map { index, line in
        guard indent > 0 else { return DocumentLine(line, role: role) }
        return DocumentLine([(label(index == 0 ? name : ""), .dim), (line, role)])
      }
    }
    let strip = EvidenceStrip.text(finding.evidence, width: width - indent, glyphs).map { text in
      DocumentLine(indent > 0 ? [(label("when"), .dim), (text, .text)] : [(text, .text)])
    }
    let callers = finding.callers
    let blame = callers.flatMap { $0.blamed == nil ? nil : $0.sentence }
    return paragraph("what", finding.sentence, .strong)
      + (blame.map { paragraph("caller", $0, .strong) } ?? [])
      + (finding.proof.isEmpty ? [] : paragraph("proved", proof(finding)))
      + paragraph("do", finding.remedy)
      + finding.ruledOut.flatMap { paragraph("ruled out", indent > 0 ? $0 : "ruled out: \($0)") }
      + (finding.settling.map { paragraph("unsure", $0) } ?? [])
      + paragraph("evidence", finding.evidence.text)
      + (strip.map { [$0] } ?? [])
      + ((callers?.list ?? finding.callersProblem).map { paragraph("callers", $0) } ?? [])
      + (finding.cap.map { paragraph("but", $0, .suspect) } ?? [])
      + (finding.descendants > 0
        ? paragraph(
          "also",
          "\(Quantity.of(finding.descendants, "operator", "operators")) upstream of it"
        ) : [])
  }
}
