public import TraceFindings
public import TraceModel
import TraceReading

/// An ``/TraceModel/Inspection`` as JSON, which `rxtop --json` prints.
///
/// `Documentation/JSON.md` describes every key. Every row has all keys, in a fixed order; a value
/// that the trace does not contain is `null`. Names are written as recorded, except that control
/// characters, bidirectional controls and invisible characters become `\uXXXX`, so that the text is
/// safe to print on a terminal.
public enum InspectionJSON {
  /// The version of the schema.
  ///
  /// It is increased when a key is removed or changes its meaning, not when one is added.
  public static let version = 1

  /// Writes an inspection.
  ///
  /// - Parameters:
  ///   - inspection: The state of the program at one moment.
  ///   - gone: The findings of a baseline (a list of findings of earlier runs) that were not found
  ///     again; nil without a baseline.
  /// - Returns: The JSON text, ended by a newline.
  /// - Complexity: O(rows). The text has about 500 bytes for each subscription.
  public static func text(_ inspection: Inspection, gone: [FindingBaseline.Known]? = nil) -> String
  {
    var json = JSONWriter()
    json.object { json in
      json.object("schema") { json in
        json.field("name", "rxtop")
        json.field("version", version)
      }
      json.object("program") { write(inspection.program, &$0) }
      json.object("instant") { write(inspection.instant, &$0) }
      json.rows("sites", SiteRow.columns, inspection.sites)
      json.rows("signals", SignalRow.columns, inspection.signals)
      json.rows("subscriptions", SubscriptionRow.columns, inspection.subscriptions)
      json.rows("timers", TimerRow.columns, inspection.timers)
      json.rows("schedulers", SchedulerRow.columns, inspection.schedulers)
      json.rows("marks", MarkRow.columns, inspection.marks)
      json.rows("events", EventRow.columns, inspection.events)
      json.array("findings", inspection.findings) { json, row in json.object { write(row, &$0) } }
      write(gone, &json)
    }
    return json.text + "\n"
  }

  private static func write(_ gone: [FindingBaseline.Known]?, _ json: inout JSONWriter) {
    guard let gone else { return json.field("gone", nil as String?) }
    json.array("gone", gone) { json, one in
      json.object { json in
        json.field("fingerprint", one.fingerprint)
        json.field("looseFingerprint", one.looseFingerprint)
        json.field("level", one.level.label)
        json.field("note", one.note)
      }
    }
  }

  private static func write(_ program: ProgramInfo, _ json: inout JSONWriter) {
    json.field("name", program.name)
    json.field("processID", program.processID)
    json.field("status", program.status.schemaName)
    if case .died(let ago) = program.status {
      json.field("endedAgo", ago)
    } else {
      json.field("endedAgo", nil as Duration?)
    }
    json.field("statusText", program.statusText)
    if let ending = program.ending {
      json.object("ending") { json in
        json.field("kind", ending.schemaName)
        json.field("signal", ending.ending?.signalName)
        var status: Int32?
        if case .exited(let number) = ending { status = number }
        json.field("exitStatus", status)
      }
    } else {
      json.field("ending", nil as String?)
    }
    json.field("level", program.level.schemaName)
    json.field("places", program.places)
    json.field("path", program.path)
    json.field("startedAt", program.startedAt)
    json.field("duration", program.duration)
    if let window = program.exactWindow {
      json.object("exactWindow") { json in
        json.field("from", window.lowerBound)
        json.field("to", window.upperBound)
      }
    } else {
      json.field("exactWindow", nil as String?)
    }
    json.field("missedLookBack", program.missedLookBack.map { Duration.seconds($0) })
    json.field("sizeForLookBack", program.sizeForLookBack)
    json.field("isIncomplete", program.isIncomplete)
    if let end = program.earlyEnd {
      json.object("earlyEnd") { json in
        json.field("cause", end.cause.schemaName)
        json.field("error", end.error)
        json.field("time", end.time)
        json.field("sentence", end.sentence)
      }
    } else {
      json.field("earlyEnd", nil as String?)
    }
    json.field("losses", program.losses)
    json.field("problems", program.problems)
    json.field("note", program.note)
  }

  private static func write(_ instant: InstantInfo, _ json: inout JSONWriter) {
    json.field("time", instant.time)
    json.field("event", instant.event)
    json.field("isEnd", instant.isEnd)
    json.field("isExact", instant.isExact)
  }

  private static func write(_ finding: Finding, _ json: inout JSONWriter) {
    json.fields(Finding.columns, finding)
    json.field("ruledOut", finding.ruledOut)
    json.object("evidence") { json in
      json.array("events", finding.evidence.events) { $0.field(nil, $1) }
      json.field("eventCount", finding.evidence.eventCount)
      json.field("counters", finding.evidence.counters)
      json.field("rows", finding.evidence.rows)
      json.field("rowCount", finding.evidence.rowCount)
    }
    guard let callers = finding.callers else { return json.field("callers", nil as String?) }
    json.object("callers") { json in
      json.array("shares", callers.shares) { json, share in
        json.object { json in
          json.field("function", share.caller.function)
          json.field("location", share.caller.location)
          json.field("accused", share.accused)
          json.field("others", share.others)
          json.field("ended", share.ended)
          json.key("oldest", share.oldest)
        }
      }
      json.field("unknown", callers.unknown)
      json.field("isWhole", callers.isWhole)
      json.field("helpers", callers.helpers.map(\.label))
      json.field("sentence", callers.sentence)
    }
  }
}
