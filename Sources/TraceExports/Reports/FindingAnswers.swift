import TraceFindings
import TraceModel

/// Findings in a form that a program can act on: the file, the line, the reasoning, and the change
/// to make there.
///
/// `Documentation/JSON.md` documents the keys of ``json()``. No key is removed or changes its
/// meaning within a version.
public struct FindingAnswers: Sendable {
  /// The version of the JSON schema.
  public static let version = 1

  private let report: FindingReport
  private let findings: [ReportedFinding]

  /// Creates answers with all findings of a report, worst first.
  public init(_ report: FindingReport) {
    self.report = report
    findings = report.findings
  }

  /// Creates answers with a single finding.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - name: The position of the finding, from 1, or its fingerprint.
  /// - Throws: ``ExportError`` if there is no such finding.
  public init(_ report: FindingReport, only name: String) throws(ExportError) {
    self.report = report
    if let number = Int(name), report.findings.indices.contains(number - 1) {
      findings = [report.findings[number - 1]]
    } else {
      findings = report.findings.filter { [$0.fingerprint, $0.lineFingerprint].contains(name) }
    }
    guard findings.isEmpty else { return }
    let count = report.findings.count
    guard count > 0 else {
      throw ExportError(
        "there is no finding '\(displayName(name))': nothing was found in this recording"
      )
    }
    throw ExportError(
      "there is no finding '\(displayName(name))' among the \(count) of this recording; give a "
        + "number from 1 to \(count), or a fingerprint from rxtop explain FILE finding --json"
    )
  }

  /// The answers as JSON, for programs.
  public func json() -> String {
    var json = JSONWriter(linesTo: 3)
    json.object { json in
      json.object("schema") { json in
        json.field("name", "rxtop-answers")
        json.field("version", Self.version)
      }
      json.field("subject", "finding")
      json.field("program", report.program)
      json.field("isComplete", report.shortfalls.isEmpty)
      json.field("missing", report.shortfalls)
      json.field("notes", report.notes)
      json.array("findings", findings) { json, finding in
        json.object { Self.write(finding, &$0) }
      }
    }
    return json.text + "\n"
  }

  private static func write(_ finding: ReportedFinding, _ json: inout JSONWriter) {
    json.field("level", finding.level.label)
    json.field("kind", finding.kind.rawValue)
    json.field("fingerprint", finding.fingerprint)
    json.field("file", finding.place?.path)
    json.field("line", finding.place?.line)
    json.field("column", finding.place?.column)
    json.field("code", finding.place?.text)
    json.field("reasoning", finding.reasoning + ["Evidence: \(finding.evidence)"])
    if let caller = finding.caller {
      json.object("caller") { Self.write(caller, &$0) }
    } else {
      json.field("caller", nil as String?)
    }
    json.field("edit", finding.edit)
    places("related", finding.related, &json)
    places("flow", finding.flow, &json)
  }

  private static func places(
    _ key: String,
    _ places: [ReportedFinding.Place],
    _ json: inout JSONWriter
  ) {
    json.array(key, places) { json, place in
      json.object { Self.write(place, &$0) }
    }
  }

  private static func write(_ place: ReportedFinding.Place, _ json: inout JSONWriter) {
    json.field("file", place.path)
    json.field("line", place.line)
    json.field("text", place.text)
  }

  /// The answers as text, for people.
  public func text() -> String {
    var text = report.shortfalls.map { "Not known: \($0)\n" }.joined()
    if findings.isEmpty { text += "Nothing was found.\n" }
    for (index, finding) in findings.enumerated() {
      if index > 0 || !text.isEmpty { text += "\n" }
      text += finding.title + "\n"
      if let place = finding.place { text += "  at \(place.path):\(place.line)\n" }
      if let call = finding.caller {
        text += "  called at \(call.path):\(call.line): \(call.text)\n"
      }
      for sentence in finding.reasoning { text += "  \(sentence)\n" }
      text += "  What to do: \(finding.edit)\n  Evidence: \(finding.evidence)\n"
      for place in finding.related { text += "  see \(place.path):\(place.line): \(place.text)\n" }
      for place in finding.flow { text += "  by \(place.path):\(place.line): \(place.text)\n" }
    }
    return text
  }
}
