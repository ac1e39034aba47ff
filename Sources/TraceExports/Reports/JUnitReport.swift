import TraceFindings
import TraceModel

/// Test results in the XML of JUnit: one suite, in which each finding is a test case that fails if
/// the finding makes the check fail.
///
/// A finding that the baseline (a list of findings of earlier runs) contains or allows, or that is
/// below the level at which the check fails, is skipped, with the reason. A kind without findings
/// is a case that passes, or that is skipped if the kind cannot be detected in this recording.
enum JUnitReport {
  /// The result of a case.
  private enum Outcome {
    case passed
    case failed(ReportedFinding)
    case unsure(String)
    case skipped(String)
  }

  private struct Case {
    var name: String
    var place: ReportedFinding.Place?
    var outcome = Outcome.passed
  }

  static func text(_ report: FindingReport) -> String {
    let cases = cases(of: report)
    func count(_ isCounted: (Outcome) -> Bool) -> Int { cases.count { isCounted($0.outcome) } }
    let seconds = "\(Double(report.duration / .milliseconds(1)).rounded() / 1000)"
    let counts = attributes([
      ("name", "rxtop check"), ("tests", "\(cases.count)"),
      ("failures", "\(count { if case .failed = $0 { true } else { false } })"),
      ("errors", "\(count { if case .unsure = $0 { true } else { false } })"),
      ("skipped", "\(count { if case .skipped = $0 { true } else { false } })"), ("time", seconds),
    ])
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(counts)>", "  <testsuite\(counts)>",
      "    <properties>",
      "      <property\(attributes([("name", "program"), ("value", report.program)]))/>",
      "    </properties>",
    ]
    for one in cases { lines += text(one) }
    let notes =
      report.shortfalls + report.notes
      + BaselineReport.gone(report.gone ?? [], isIncomplete: !report.shortfalls.isEmpty)
    if !notes.isEmpty {
      lines.append("    <system-out>\(escaped(notes.joined(separator: "\n")))</system-out>")
    }
    return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  private static func cases(of report: FindingReport) -> [Case] {
    var names: [String: Int] = [:]
    var cases = report.findings.map { finding in
      let number = names[finding.name, default: 0] + 1
      names[finding.name] = number
      let name = number == 1 ? finding.name : "\(finding.name) (\(number))"
      return Case(name: name, place: finding.place, outcome: outcome(of: finding))
    }
    let found = Set(report.findings.map(\.kind))
    for kind in FindingKind.allCases where !found.contains(kind) {
      let isUnseen = report.unseen.contains(kind)
      let outcome = isUnseen ? Outcome.skipped("this recording cannot show it") : .passed
      cases.append(Case(name: kind.rawValue, place: nil, outcome: outcome))
    }
    let shortfalls = report.shortfalls.joined(separator: "\n")
    cases.append(
      Case(
        name: "the recording is complete",
        place: nil,
        outcome: report.verdict == .incomplete
          ? .unsure(shortfalls) : shortfalls.isEmpty ? .passed : .skipped(shortfalls)
      )
    )
    return cases
  }

  private static func outcome(of finding: ReportedFinding) -> Outcome {
    if finding.isFailing { return .failed(finding) }
    switch finding.baselineStatus {
    case .known: return .skipped("\(finding.title): the baseline knows it")
    case .allowed(let reason): return .skipped("\(finding.title): allowed: \(reason)")
    case .unknown, .new, .worse, .expired:
      return .skipped("\(finding.title): below the level that fails\n\(finding.message)")
    }
  }

  private static func text(_ one: Case) -> [String] {
    var named = [("classname", "rxtop"), ("name", one.name)]
    if let place = one.place { named += [("file", place.path), ("line", "\(place.line)")] }
    named.append(("time", "0"))
    let begin = "    <testcase\(attributes(named))"
    let content: String
    switch one.outcome {
    case .passed: return [begin + "/>"]
    case .skipped(let reason): content = "<skipped\(attributes([("message", reason)]))/>"
    case .unsure(let shortfalls):
      content = "<error\(attributes([("type", "incomplete"), ("message", shortfalls)]))/>"
    case .failed(let finding):
      let head = attributes([("type", finding.level.label), ("message", finding.title)])
      content = "<failure\(head)>\(escaped(details(of: finding)))</failure>"
    }
    return [begin + ">", "      " + content, "    </testcase>"]
  }

  /// The text of a failure: everything that is known about the finding.
  private static func details(of finding: ReportedFinding) -> String {
    func line(_ place: ReportedFinding.Place) -> String {
      "\(displayName(place.path, columns: 4000)):\(place.line): \(place.text)"
    }
    var lines = [finding.message]
    if let place = finding.place { lines.append("Where: \(line(place))") }
    if !finding.evidence.isEmpty { lines.append("Evidence: \(finding.evidence)") }
    if !finding.flow.isEmpty {
      lines += ["How it got there:"] + finding.flow.map { "  " + line($0) }
    }
    if !finding.related.isEmpty { lines += ["See also:"] + finding.related.map { "  " + line($0) } }
    return (lines + ["Fingerprint: \(finding.fingerprint)"]).joined(separator: "\n")
  }

  // MARK: XML

  private static func attributes(_ all: [(String, String)]) -> String {
    all.map { " \($0)=\"\(escaped($1).escaping(["\n": "&#10;"]))\"" }.joined()
  }

  /// Text escaped for elements and attributes; control characters, which XML does not permit,
  /// become `<U+XXXX>`.
  private static func escaped(_ text: String) -> String {
    FindingReport.shown(text)
      .escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
  }
}
