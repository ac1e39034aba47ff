public import TraceModel
import TraceReading

extension FindingKind {
  /// The program was ended by a signal that indicates a fault in the program.
  public static let crash = FindingKind("crash", "crash of the program")
  /// The program ended without stopping the recording, and is not known to have crashed.
  public static let died = FindingKind(
    "ended-without-stopping",
    "program that did not end cleanly",
    doubt:
      "A trace alone does not show whether the program was ended on purpose; with crashes=on in "
      + "RXTRACE, it records a crash."
  )
}

/// A program that did not end normally.
///
/// The rule reports a crash if a signal that indicates a fault ended the program; otherwise it
/// reports only that the program ended without stopping the recording.
///
/// The header of the trace proves the ending, whatever records are missing; records only show where
/// it happened.
enum Crashes: FindingRule {
  static let kinds: [FindingKind] = [.crash, .died]

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard let end = facts.programEnding else { return [] }
    guard case .crashed(let ending) = end else { return [died(end)] }
    let signal = ending.signalName ?? "a signal"
    var found = FindingDraft(
      kind: .crash,
      level: .violation,
      site: 0,
      summary: signal,
      sentence: "The program crashed: \(signal) ended it",
      remedy: "",
      evidence: Evidence(counters: ["ended by \(signal)"]),
      isOfProgram: true
    )
    found.remedy =
      "rxtop explain FILE crash shows what was under way in every thread, and the asynchronous backtrace."
    guard let thread = facts.threadName(ending.thread) else {
      found.sentence +=
        ending.ticks == nil
        ? "; which thread caused it is not known."
        : facts.lacksRecords
          ? "; the thread in which it came is not in what is left of this trace."
          : ". It came in a thread that has recorded nothing, or from another process."
      return [found]
    }
    found.summary += " in \(thread)"
    found.sentence += ", in \(thread)"
    found.evidence.counters.append("caused by \(thread)")
    if facts.lacksRecords {
      found.sentence += "."
      found.cap =
        "the line where it crashed is not known, as this trace is "
        + "incomplete\(facts.loss.map { ": \($0)" } ?? "")."
      return [found]
    }
    let inProgress = WorkInProgress(facts)
    guard let activity = inProgress.activity(of: ending.thread),
      let place = inProgress.place(activity)
    else {
      found.sentence += "."
      found.cap = "what the thread was doing is not in the records that are left."
      return [found]
    }
    found.site = place.site
    found.subject = place.key.serial == 0 ? nil : place.key
    if let event = activity.event {
      found.sentence +=
        ". The last event there was \(inProgress.words(event, to: place))."
    } else {
      found.sentence += ". A delivery of \(inProgress.words(place)) was under way there."
    }
    let numbers = activity.open.map(\.number) + [activity.event?.number].compactMap { $0 }
    found.evidence = Evidence(events: numbers, counters: found.evidence.counters)
    found.summary += ", after an event for \(inProgress.words(place))"
    return [found]
  }

  /// The draft for a program that is not known to have crashed; the draft accuses no line, because
  /// the program may have been ended on purpose.
  private static func died(_ end: ProgramEnding) -> FindingDraft {
    let remedy =
      switch end {
      case .unknown:
        "Nothing, if it was killed on purpose. Run it with rxtop record, or with crashes=on in RXTRACE: the trace "
          + "then shows a crash. rxtop explain FILE crash shows what was under way."
      case .exited:
        "Nothing, if it was meant to exit this way; Trace.stop() before _exit ends the trace "
          + "cleanly."
      default:
        "Nothing, if it was ended on purpose. rxtop explain FILE crash shows what was under way."
      }
    return FindingDraft(
      kind: .died,
      level: .info,
      site: 0,
      summary: end.words,
      sentence: "The program \(end.words).",
      remedy: remedy,
      evidence: Evidence(
        counters: [
          end.ending?.signalName.map { "ended by \($0)" } ?? "process gone, recording never stopped"
        ]
      ),
      isOfProgram: true
    )
  }
}
