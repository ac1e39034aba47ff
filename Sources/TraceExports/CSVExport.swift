import TraceModel
import TraceReading

/// Tables with plain numbers: times in nanoseconds, nothing where the trace cannot tell.
struct CSVExport {
  private let inspection: Inspection
  private let snapshot: TraceSnapshot

  init(_ inspection: Inspection, _ snapshot: TraceSnapshot) {
    self.inspection = inspection
    self.snapshot = snapshot
  }

  func text(_ options: TraceExport.Options) -> String {
    let (header, rows) = table(options.table)
    let filter = RowFilter(options.filter)
    let kept = rows.filter { row in
      filter.isEmpty
        || filter.admits(row.joined(separator: " ")) { name in
          header.firstIndex { $0.lowercased() == name }.map { (row[$0], Double(row[$0])) }
        }
    }
    return ([header] + kept).map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Quoted where needed.
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe, as it shows
  /// texts itself.
  static func field(_ text: String) -> String {
    let shown = displayName(text, columns: 4000)
    let isNumber = Double(shown) != nil
    let isFormula = !isNumber && shown.first.map { "=+-@".contains($0) } ?? false
    let safe = isFormula ? "'" + shown : shown
    guard safe.contains(where: { ",\"".contains($0) }) else { return safe }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private func table(_ table: ExportTable) -> (header: [String], rows: [[String]]) {
    switch table {
    case .sites: sites
    case .signals: signals
    case .subscriptions: subscriptions
    case .timers: timers
    case .queues: queues
    case .events: events
    case .findings: findings
    }
  }

  private func text(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "" }
  private func text(_ value: Duration?) -> String { value.map { "\($0.wholeNanoseconds)" } ?? "" }
  private func text(_ value: EntityKey?) -> String {
    value.map { $0.serial == 0 ? "" : "\($0.serial)" } ?? ""
  }

  private var sites: ([String], [[String]]) {
    (
      [
        "site", "name", "file", "line", "live", "subscribed", "ended", "signals", "events", "rate",
        "lastEventAge", "oldestAge", "held", "refused", "timersLive", "timerFires", "scheduler",
        "worst",
      ],
      inspection.sites.map { row in
        [
          text(row.id), row.name, row.file, text(row.line), text(row.live), text(row.subscribed),
          text(row.ended), text(row.signals), text(row.events), row.rate.map { "\($0)" } ?? "",
          text(row.lastEventAge), text(row.oldestAge), text(row.held), text(row.refused),
          text(row.timersLive), text(row.timerFires), row.scheduler ?? "", row.worst?.label ?? "",
        ]
      }
    )
  }

  private var signals: ([String], [[String]]) {
    (
      ["signal", "name", "location", "givenName", "state", "age", "subscriptions", "ever"],
      inspection.signals.map { row in
        [
          text(row.key), row.name, row.location, row.givenName ?? "", row.state?.rawValue ?? "",
          text(row.age), text(row.subscriptions), text(row.subscriptionsEver),
        ]
      }
    )
  }

  private var subscriptions: ([String], [[String]]) {
    (
      [
        "subscription", "name", "location", "state", "endReason", "age", "events", "lastEventAge",
        "held", "refused", "root", "downstream", "scheduler",
      ],
      inspection.subscriptions.map { row in
        [
          text(row.key), row.name, row.location, row.state?.rawValue ?? "",
          row.endReason?.schemaName ?? "", text(row.age), text(row.events), text(row.lastEventAge),
          text(row.held), text(row.refused), text(row.root), text(row.downstream),
          row.scheduler ?? "",
        ]
      }
    )
  }

  private var timers: ([String], [[String]]) {
    (
      [
        "timer", "name", "location", "state", "period", "fires", "idleFires", "age", "subscription",
      ],
      inspection.timers.map { row in
        [
          text(row.key), row.name, row.location, row.state?.rawValue ?? "", text(row.period),
          text(row.fires), text(row.idleFires), text(row.age), text(row.subscription),
        ]
      }
    )
  }

  private var queues: ([String], [[String]]) {
    let report = QueueStudy.report(upTo: inspection.instant.time, snapshot)
    return (
      [
        "queue", "name", "kind", "waiting", "begun", "occupancy", "waitMedian", "waitP99",
        "waitLongest", "runMedian", "runP99", "runLongest",
      ],
      report.queues.map { row in
        let row = row.counted(inspection)
        return [
          text(row.id), row.name, row.kind.schemaName,
          text(row.isWaitingLeast ? nil : row.waiting), text(row.begun),
          row.occupancy.map { "\($0)" } ?? "", text(row.waits?.median), text(row.waits?.p99),
          text(row.waits?.longest), text(row.runs?.median), text(row.runs?.p99),
          text(row.runs?.longest),
        ]
      }
    )
  }

  private var events: ([String], [[String]]) {
    let walk = RecordWalk(snapshot)
    let log = EventLog(snapshot, first: snapshot.firstExactGeneration)
    let rows = walk.rows.filter { Step.event.stops(at: walk[$0].kind) }
    return (
      ["event", "time", "kind", "subject", "of", "says", "thread"],
      log.rows(rows).map { row in
        [
          text(row.number), text(row.time), RecordSpec.of(row.kind).name, text(row.subject),
          row.subjectText, row.text, row.thread,
        ]
      }
    )
  }

  private var findings: ([String], [[String]]) {
    (
      [
        "level", "kind", "name", "location", "subject", "summary", "sentence", "remedy",
        "fingerprint",
      ],
      inspection.findings.map { row in
        [
          row.level.label, row.kind.rawValue, row.name, row.location, text(row.subject),
          row.summary, row.sentence, row.remedy, row.fingerprint,
        ]
      }
    )
  }
}
