import TraceFindings
import TraceModel
import TraceReading

/// The section of a report with the findings, worst first, and their evidence.
struct ReportFindings {
  private let inspection: Inspection
  private let stacks: ReportStacks

  /// The maximum number of findings in the page.
  static let limit = 100
  /// Once the page has this number of bytes, backtraces of findings are left out.
  private static let byteLimit = 1 << 20

  init(_ inspection: Inspection, _ stacks: ReportStacks) {
    self.inspection = inspection
    self.stacks = stacks
  }

  /// The number of findings of each level, such as `2 LEAK, 1 INFO`.
  static func counts(_ inspection: Inspection) -> String {
    let counts = FindingLevel.allCases.reversed().compactMap { level -> String? in
      let count = inspection.findings.count { $0.level == level }
      return count == 0 ? nil : "\(count) \(level.label)"
    }
    return counts.isEmpty ? "Nothing found" : counts.joined(separator: ", ")
  }

  func write(_ html: inout HTMLWriter) {
    html.section("findings", "Findings") { html in
      guard !inspection.findings.isEmpty else { return writeEmptyMessage(&html) }
      for (place, finding) in inspection.findings.prefix(Self.limit).enumerated() {
        write(finding, number: place + 1, &html)
      }
      let rest = inspection.findings.count - Self.limit
      if rest > 0 {
        html.element("p") {
          $0.prose(
            "\(rest) more \(rest == 1 ? "is" : "are") left out, none worse than these; `rxtop check \(inspection.program.fileName)` prints all."
          )
        }
      }
    }
  }

  private func writeEmptyMessage(_ html: inout HTMLWriter) {
    let program = inspection.program
    html.element("p", text: "No problems were found in this recording.")
    if program.isIncomplete || program.exactWindow == nil {
      html.element(
        "p",
        ["class": "warning"],
        text: "But it is incomplete, so this proves nothing: see “What is known”."
      )
    } else if program.hasDied {
      html.element("p", text: "But the program did not end cleanly.")
    } else if !inspection.doubts.isEmpty {
      html.element("p", text: "But not everything could be judged: see “What is known”.")
    } else if program.level < .events {
      html.element(
        "p",
        text: "Faults that show in single events are found only in a recording at level events."
      )
    } else {
      let growth =
        "Growth shows in a longer recording, or one with a few `Trace.mark(\"…\")` in it. "
      html.element("p") {
        $0.prose(
          (inspection.isShortForGrowth ? growth : "")
            + "If a value does not arrive, or arrives too often, ask `rxtop explain \(program.fileName) subscription FILE.swift:LINE`."
        )
      }
    }
  }

  private func write(_ finding: Finding, number: Int, _ html: inout HTMLWriter) {
    let id = "finding-\(number)"
    let level = finding.level.label
    html.raw("\n")
    html.element(
      "article",
      ["id": id, "class": "finding \(level.lowercased())", "aria-labelledby": "\(id)-title"]
    ) { html in
      html.element("h3", ["id": "\(id)-title"]) { html in
        html.element("span", ["class": "level"], text: level)
        html.raw(" ")
        html.text("\(finding.name)@\(finding.location)", columns: 120)
        html.raw(" ")
        html.element("span", ["class": "kind"], text: finding.kind.title)
      }
      html.element("p", ["class": "sentence"], text: finding.sentence)
      html.element("dl") { html in
        for (name, text) in parts(finding) {
          html.element("dt", text: name)
          html.element("dd", text: text)
        }
        if !finding.ruledOut.isEmpty {
          html.element("dt", text: "Ruled out")
          html.element("dd") { $0.list(finding.ruledOut) }
        }
        html.element("dt", text: "Evidence")
        html.element("dd") { writeEvidence(finding, &$0) }
      }
      if let stack = stacks.stack(of: finding) {
        html.element("details") { html in
          html.element("summary", text: "Backtrace: \(stack.title)")
          stacks.write(stack.lines, upTo: Self.byteLimit, &html)
        }
      } else {
        html.element("p", ["class": "dim"], text: "Its backtrace was not recorded.")
      }
    }
  }

  private func parts(_ finding: Finding) -> [(String, String)] {
    let callers = finding.callers
    var parts = [("What to do", finding.remedy)]
    if let callers, callers.blamed != nil { parts.append(("Caller", callers.sentence)) }
    if let last = finding.proof.last {
      let first = finding.proof.dropLast()
      let steps = first.isEmpty ? last : "\(first.joined(separator: ", ")), and \(last)"
      parts.append(("Proved", "For \(steps)."))
    }
    if let settling = finding.settling { parts.append(("How sure", settling)) }
    if let cap = finding.cap { parts.append(("Level held back", cap)) }
    if let list = callers?.list ?? finding.callersProblem { parts.append(("Callers", list)) }
    if finding.descendants > 0 {
      parts.append(
        ("Also", "\(Quantity.of(finding.descendants, "operator", "operators")) upstream of it")
      )
    }
    return parts
  }

  private func writeEvidence(_ finding: Finding, _ html: inout HTMLWriter) {
    let evidence = finding.evidence
    html.text(evidence.text.isEmpty ? finding.summary : evidence.text)
    writeStrip(evidence, &html)
    guard let first = evidence.events.first else { return }
    html.element("p", ["class": "dim"]) {
      $0.prose(
        "`rxtop dump --event \(first) \(inspection.program.fileName)` shows the first record."
      )
    }
  }

  /// Draws the times of the records that are evidence as ticks on a strip that represents the whole
  /// recording.
  private func writeStrip(_ evidence: Evidence, _ html: inout HTMLWriter) {
    let length = inspection.instant.time
    guard let first = evidence.moments.first, let last = evidence.moments.last, length > .zero
    else { return }
    let places = evidence.moments.map { Int(min(1, max(0, $0.time / length)) * 956) + 2 }
    let path = Set(places).sorted().map { "M\($0) 2V14" }.joined()
    html.element(
      "svg",
      [
        "class": "strip", "viewBox": "0 0 960 16", "role": "img",
        "aria-label":
          "When: from \(Quantity.moment(first.time)) to \(Quantity.moment(last.time)) of \(Quantity.moment(length))",
      ]
    ) { html in
      html.element("path", ["class": "life", "d": "M0 15H960"]) { _ in }
      html.element("path", ["class": "tick", "d": path]) { _ in }
    }
  }
}
