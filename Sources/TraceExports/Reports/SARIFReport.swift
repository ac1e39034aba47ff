import TraceFindings
import TraceModel

/// SARIF 2.1.0, the OASIS standard for results of static analysis, which GitHub's code scanning,
/// editors and dashboards read.
enum SARIFReport {
  /// The key of a result's fingerprint; its meaning does not change.
  static let fingerprintName = "rxtop/v1"

  static func text(_ report: FindingReport, _ version: String) -> String {
    var json = JSONWriter(linesTo: 6)
    json.object { json in
      json.field(
        "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
      )
      json.field("version", "2.1.0")
      json.array("runs", [report]) { json, report in
        json.object { json in
          json.object("tool") { json in json.object("driver") { write(driver: version, &$0) } }
          json.array("invocations", [report]) { json, report in
            json.object { write(invocation: report, &$0) }
          }
          json.object("originalUriBaseIds") { json in
            json.object("%SRCROOT%") { message("description", "The root of the sources.", &$0) }
          }
          json.field("columnKind", "unicodeCodePoints")
          json.array("results", report.findings) { json, finding in
            json.object { write(finding, of: report, &$0) }
          }
        }
      }
    }
    return json.text + "\n"
  }

  // MARK: The tool and the recording

  private static func write(driver version: String, _ json: inout JSONWriter) {
    json.field("name", "rxtop")
    json.field("version", version)
    json.array("rules", FindingKind.allCases) { json, kind in
      json.object { json in
        json.field("id", kind.rawValue)
        message("shortDescription", kind.title, &json)
        message("fullDescription", kind.description, &json)
        message("help", kind.help, &json)
        // Each result has its own level.
        json.object("defaultConfiguration") { $0.field("level", "warning") }
      }
    }
  }

  /// Writes whether the recording is sufficient for a verdict, because a clean result from an
  /// incomplete recording must not look like one from a complete recording.
  private static func write(invocation report: FindingReport, _ json: inout JSONWriter) {
    let isUnsure = report.verdict == .incomplete
    json.field("executionSuccessful", !isUnsure)
    json.field("exitCode", report.verdict.rawValue)
    let gone = BaselineReport.gone(report.gone ?? [], isIncomplete: !report.shortfalls.isEmpty)
    let notifications =
      report.shortfalls.map { (isUnsure ? "error" : "warning", "incomplete-recording", $0) }
      + report.notes.map { ("note", "recording", $0) } + gone.map { ("note", "gone", $0) }
    json.array("toolExecutionNotifications", notifications) { json, notification in
      json.object { json in
        json.field("level", notification.0)
        json.object("descriptor") { $0.field("id", notification.1) }
        message("message", notification.2, &json)
      }
    }
  }

  // MARK: Results

  private static func write(
    _ finding: ReportedFinding,
    of report: FindingReport,
    _ json: inout JSONWriter
  ) {
    json.field("ruleId", finding.kind.rawValue)
    json.field("ruleIndex", FindingKind.allCases.firstIndex(of: finding.kind))
    json.field("level", level(finding.level))
    message("message", finding.message, &json)
    json.array("locations", [finding.place]) { json, place in
      json.object { json in
        if let place {
          write(place, &json)
        } else {
          // Consumers require a location, even if the whole program is accused.
          json.object("physicalLocation") { json in
            json.object("artifactLocation") { $0.field("uri", uri(report.program)) }
          }
        }
      }
    }
    json.array("relatedLocations", Array(finding.related.enumerated())) { json, place in
      json.object { json in
        json.field("id", place.offset + 1)
        write(place.element, &json)
        message("message", place.element.text, &json)
      }
    }
    json.array("codeFlows", finding.flow.isEmpty ? [] : [finding.flow]) { json, flow in
      json.object { json in
        message("message", "How the program got to what is accused.", &json)
        json.array("threadFlows", [flow]) { json, flow in
          json.object { json in
            json.array("locations", flow) { json, place in
              json.object { json in
                json.object("location") { json in
                  write(place, &json)
                  message("message", place.text, &json)
                }
              }
            }
          }
        }
      }
    }
    json.object("partialFingerprints") { $0.field(fingerprintName, finding.fingerprint) }
    if report.gone != nil { json.field("baselineState", baselineState(finding.baselineStatus)) }
    if case .allowed(let reason) = finding.baselineStatus {
      json.array("suppressions", [reason]) { json, reason in
        json.object { json in
          json.field("kind", "external")
          json.field("status", "accepted")
          json.field("justification", FindingReport.shown(reason))
        }
      }
    }
    json.object("properties") { json in
      json.field("level", finding.level.label)
      json.field("evidence", finding.evidence)
    }
  }

  private static func write(_ place: ReportedFinding.Place, _ json: inout JSONWriter) {
    json.object("physicalLocation") { json in
      json.object("artifactLocation") { json in
        json.field("uri", uri(place.path))
        json.field("uriBaseId", "%SRCROOT%")
      }
      json.object("region") { json in
        json.field("startLine", place.line)
        if let column = place.column { json.field("startColumn", column) }
      }
    }
  }

  private static func level(_ level: FindingLevel) -> String {
    switch level {
    case .violation, .leak: "error"
    case .suspect: "warning"
    case .info: "note"
    }
  }

  private static func baselineState(_ status: Finding.BaselineStatus) -> String {
    switch status {
    case .known, .allowed: "unchanged"
    case .worse: "updated"
    case .unknown, .new, .expired: "new"
    }
  }

  // MARK: Texts

  /// A message in which links and placeholders are escaped.
  private static func message(_ key: String, _ text: String, _ json: inout JSONWriter) {
    let plain = text.escaping(["{": "{{", "}": "}}"]).replacing("](", with: "] (")
    json.object(key) { $0.field("text", plain) }
  }

  /// A path as a relative URI reference, in which everything except slashes and the unreserved
  /// characters of RFC 3986 is percent-encoded.
  private static func uri(_ path: String) -> String {
    var uri = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return uri
  }
}

extension FindingKind {
  /// A description of the kind, and why such a finding may not be a fault.
  fileprivate var description: String {
    let sentence = title.prefix(1).uppercased() + title.dropFirst() + "."
    return doubt.map { "\(sentence) \($0)" } ?? sentence
  }

  /// The description, followed by the recordings in which such findings can be found.
  fileprivate var help: String {
    var text = description
    if needsEvents { text += " It is found only in recordings at level events or values." }
    if needsAll { text += " It is not reported where a recording lacks anything." }
    return text + " What to do is in the message of each result."
  }
}
