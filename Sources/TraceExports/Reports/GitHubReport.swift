import TraceFindings
import TraceModel

/// Workflow commands of GitHub Actions, one per line, which annotate lines of code.
///
/// A finding that makes the check fail is an error. Findings that the baseline, which lists
/// findings of earlier runs, contains or allows are left out, so that they are not repeated in
/// every pull request.
enum GitHubReport {
  static func text(_ report: FindingReport) -> String {
    var lines = report.findings.filter(\.baselineStatus.counts).map { finding in
      command(
        finding.isFailing ? "error" : finding.level == .info ? "notice" : "warning",
        finding.place,
        finding.title,
        finding.message
      )
    }
    let isUnsure = report.verdict == .incomplete
    lines += report.shortfalls.map { shortfall in
      command(
        isUnsure ? "error" : "warning",
        nil,
        "rxtop: the recording is \(isUnsure ? "too incomplete to judge" : "incomplete")",
        shortfall
      )
    }
    lines += report.notes.map { command("notice", nil, "rxtop: the recording", $0) }
    lines += BaselineReport.gone(report.gone ?? [], isIncomplete: !report.shortfalls.isEmpty).map {
      command("notice", nil, "rxtop: gone since the baseline", $0)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func command(
    _ name: String,
    _ place: ReportedFinding.Place?,
    _ title: String,
    _ message: String
  ) -> String {
    var properties: [String] = []
    if let place {
      properties += [
        "file=\(property(displayName(place.path, columns: 4000)))", "line=\(place.line)",
      ]
      if let column = place.column { properties.append("col=\(column)") }
    }
    properties.append("title=\(property(title))")
    return "::\(name) \(properties.joined(separator: ","))::\(escaped(message))"
  }

  private static func escaped(_ text: String) -> String {
    text.escaping(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escaped(text).escaping([":": "%3A", ",": "%2C"])
  }
}
