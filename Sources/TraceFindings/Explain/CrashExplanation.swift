import TraceModel
public import TraceReading

/// What was in progress in each thread when a program ended abnormally.
public enum CrashExplanation {
  /// Examines the end of a trace.
  ///
  /// If the thread that crashed is known, the explanation has the steps and the backtrace of that
  /// thread. Each other thread with work in progress has a separate part.
  ///
  /// - Parameter snapshot: The trace.
  /// - Returns: What was in progress, and what is unknown about it.
  /// - Throws: ``ExplainError`` if the program is running, or is known to have stopped the
  ///   recording normally.
  /// - Complexity: O(records).
  public static func of(_ snapshot: TraceSnapshot) throws(ExplainError) -> Explanation {
    let facts = FindingFacts(snapshot)
    let process = "process \(snapshot.header.processID)"
    if snapshot.processStatus == .running {
      throw ExplainError(
        "\(process) is running and has not died; rxtop --once --screen queues shows what is under "
          + "way"
      )
    }
    let end = facts.programEnding
    if end == nil, snapshot.processStatus == .stopped {
      throw ExplainError(
        "\(process) stopped its recording cleanly, and no crash is recorded after that"
      )
    }
    return Account(facts, snapshot, end).explanation()
  }
}

private struct Account {
  private let facts: FindingFacts
  private let snapshot: TraceSnapshot
  private let end: ProgramEnding?
  private let inProgress: WorkInProgress

  init(_ facts: FindingFacts, _ snapshot: TraceSnapshot, _ end: ProgramEnding?) {
    self.facts = facts
    self.snapshot = snapshot
    self.end = end
    inProgress = WorkInProgress(facts)
  }

  /// The row of the thread that crashed; 0 if it is not known.
  private var crashed: UInt32 {
    guard case .crashed(let ending) = end, facts.thread(ending.thread) != nil else { return 0 }
    return ending.thread
  }

  func explanation() -> Explanation {
    let header = snapshot.header
    let name = header.programName.isEmpty ? "unnamed program" : header.programName
    let words = end?.words ?? "was not seen to end: it may run elsewhere"
    var explanation = Explanation(.crash, "\(name), process \(header.processID): \(words)")
    if let activity = inProgress.activity(of: crashed) {
      let part = part(activity, isCrashed: true)
      explanation.steps = part.steps
      explanation.chain = part.chain
    }
    if case .crashed(let ending) = end, !snapshot.crashStack.isEmpty {
      // The stack that the thread recorded as it crashed is more precise than its last records.
      explanation.stack = snapshot.crashStack
      let hop = inProgress.activity(of: crashed).map { inProgress.chain($0) } ?? 0
      explanation.chain = ending.chain != 0 ? ending.chain : hop
      explanation.action = .crashed
    }
    explanation.parts = inProgress.activities
      .filter { $0.thread != crashed && !$0.open.isEmpty }
      .map { part($0, isCrashed: false) }
    explanation.answer = answer(explanation.parts.count)
    addKnownFacts(&explanation)
    return explanation
  }

  private func answer(_ others: Int) -> String {
    let rest =
      others == 0
      ? ""
      : " Something was under way in \(Words.count(others, "other thread")), which need not be the cause."
    if case .crashed(let ending) = end, let thread = facts.threadName(crashed) {
      let signal = ending.signalName ?? "a signal"
      guard let activity = inProgress.activity(of: crashed) else {
        return "\(signal) in \(thread), of which no record is left.\(rest)"
      }
      guard let place = inProgress.place(activity) else {
        return activity.open.isEmpty
          ? "\(signal) in \(thread), where nothing was under way by the records.\(rest)"
          : "\(signal) in \(thread); at which stage is not in the trace.\(rest)"
      }
      guard let event = activity.event else {
        return "\(signal) in \(thread), in a delivery of \(inProgress.words(place)).\(rest)"
      }
      return
        "\(signal) in \(thread): the last event there was \(inProgress.words(event, to: place)).\(rest)"
    }
    let what =
      end.map { "The program \($0.words)." } ?? "Whether the program has ended is not known."
    switch others {
    case 0: return what + " By the records, nothing was under way in any thread."
    case 1: return what + " Something was under way in one thread, which need not be the cause."
    default:
      return what + " Something was under way in \(others) threads, which need not be the cause."
    }
  }

  private func part(_ activity: WorkInProgress.Activity, isCrashed: Bool) -> Explanation.Part {
    let thread = facts.threadName(activity.thread) ?? "thread in row \(activity.thread)"
    var part = Explanation.Part(title: thread)
    part.steps = activity.open.map { step($0) }
    if let event = activity.event {
      let place = inProgress.subject(of: event)
      part.steps.append(
        step(place, event.kind == .next ? "sent value \(event.argument)" : "sent its end", event)
      )
      let next = inProgress.place(activity)
      let note = next?.isHandler == true ? "its handler had received it" : "had received it"
      var last = step(next, note, nil)
      last.isCulprit = isCrashed
      part.steps.append(last)
    } else if !part.steps.isEmpty {
      part.steps[part.steps.count - 1].isCulprit = isCrashed
    }
    part.chain = inProgress.chain(activity)
    if part.chain == 0 { part.chain = inProgress.chainOfSubscription(activity) }
    return part
  }

  private func step(_ begin: TraceRecord) -> Explanation.Step {
    let age = facts.seconds(from: begin.ticks, to: facts.last)
    let since =
      "not over" + (age > 0 ? ", began \(Duration.seconds(age).brief) before the last record" : "")
    guard begin.kind == .hopBegan else {
      return step(inProgress.subject(of: begin), "turn, \(since)", begin)
    }
    let scheduler = facts.scheduler(begin.argument).map(\.name) ?? ""
    return Explanation.Step(
      name: "hop",
      location: scheduler.isEmpty ? "" : "on \(scheduler)",
      note: since,
      event: begin.number
    )
  }

  private func step(_ place: WorkInProgress.Place?, _ note: String, _ record: TraceRecord?)
    -> Explanation.Step
  {
    let site = place.map { facts.site($0.site) }
    return Explanation.Step(
      name: site?.name ?? "?",
      location: site?.location ?? "?",
      entity: place?.key,
      note: note,
      event: record?.number
    )
  }

  private func addKnownFacts(_ explanation: inout Explanation) {
    let activity = inProgress.activity(of: crashed)
    if case .crashed(let ending) = end, let ticks = ending.ticks {
      explanation.known.append(
        "the program crashed \(snapshot.time(ticks).brief) after the recording began"
      )
    }
    if !explanation.stack.isEmpty {
      explanation.known.append(
        explanation.chain != 0
          ? "the backtrace begins where the program crashed, and goes on with what had scheduled "
            + "the work"
          : "the backtrace shows where the program crashed; who scheduled that work is not known"
      )
    } else if explanation.chain != 0, let activity {
      explanation.known.append(
        inProgress.chain(activity) != 0
          ? "the work under way was scheduled as the backtrace shows"
          : "it happened in no scheduled work that is recorded; the backtrace is that of the subscription"
      )
    }
    if activity?.event != nil {
      explanation.unknown.append("whether the stage that had the event had already returned")
    }
    switch end {
    case .crashed where crashed == 0:
      let why =
        explanation.stack.isEmpty
        ? "no handler in the program noted it" : "it had recorded nothing"
      explanation.unknown.append("which thread crashed: \(why)")
    case .unknown:
      explanation.unknown.append(
        "which signal ended it: rxtop record, or crashes=on in RXTRACE, would have noted it"
      )
    default: break
    }
    if activity != nil, explanation.chain == 0, explanation.stack.isEmpty {
      explanation.unknown.append("on whose behalf it happened: no backtrace was recorded")
    }
    if snapshot.lowestLevel == .graph || !facts.hasEvents {
      explanation.unknown.append(
        "what was under way where, or while, the level was graph: hops, turns and values are not recorded then"
      )
    }
    if facts.exactFrom.map({ $0 > facts.start }) ?? true {
      explanation.unknown.append(
        "what began before the records that are left and was still under way"
      )
    }
    if let loss = facts.loss {
      explanation.unknown.append("what is missing, as this trace is incomplete: \(loss)")
    }
  }
}
