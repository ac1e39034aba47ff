public import TraceModel
public import TraceReading

/// The answer to a question about a trace: a few steps, one sentence, and what is known and
/// unknown.
///
/// Names are as recorded; ``text(showsAllFrames:)`` makes them safe to print with
/// ``/TraceModel/displayName(_:columns:)``.
public struct Explanation: Sendable, Equatable {
  /// The kinds of questions.
  public enum Subject: String, Sendable, CaseIterable {
    /// Why nothing arrives at a subscription.
    case subscription
    /// Where an error came from and what happened to it.
    case error
    /// What happened to a value.
    case value
    /// What was in progress when the program ended abnormally.
    case crash
    /// What is wrong, and what to change.
    case finding
  }

  /// One stage on the path from the subject to the answer.
  public struct Step: Sendable, Equatable {
    /// The name of the operator, such as `filter`.
    public var name: String
    /// The file and line of the operator, such as `Pane.swift:92`.
    public var location: String
    /// The entity of the step, shown by its number as `#12`.
    public var entity: EntityKey?
    /// What is known about the stage, or what happened there.
    public var note: String
    /// The number of the record that shows what the note says; nil if only counters show it.
    public var event: UInt64?
    /// Whether the answer accuses this step.
    public var isCulprit = false
  }

  /// A separate explanation of something related, such as another thread.
  public struct Part: Sendable, Equatable {
    /// What this part explains.
    public var title: String
    /// The steps, from the outermost piece of work to the innermost.
    public var steps: [Step] = []
    /// The asynchronous backtrace, as in ``Explanation/backtrace``.
    public var backtrace: [String] = []
    /// The number of the chain behind that backtrace, as in ``Explanation/chain``.
    public var chain: UInt32 = 0

    init(title: String) { self.title = title }
  }

  /// The kind of question.
  public var subject: Subject
  /// The subject in one line.
  public var title: String
  /// The steps from the subject to the answer.
  public var steps: [Step] = []
  /// The answer.
  public var answer = ""
  /// Further facts that the trace shows.
  public var known: [String] = []
  /// What the trace does not show.
  public var unknown: [String] = []
  /// The asynchronous backtrace, innermost first, as lines; empty if there is none.
  public var backtrace: [String] = []
  /// The number of the recorded chain of return addresses behind ``backtrace``, for callers that
  /// can look up symbols; 0 if there is none.
  public var chain: UInt32 = 0
  /// The return addresses with which the backtrace begins, before those of the chain; empty if
  /// there are none.
  public var stack: [UInt64] = []
  /// What the program did where the chain was captured; nil if the chain does not show it.
  var action: Action?

  enum Action { case subscribed, ended, crashed }
  /// Related explanations, such as those of the other threads of a program that ended abnormally.
  public var parts: [Part] = []

  init(_ subject: Subject, _ title: String) {
    self.subject = subject
    self.title = title
  }

  /// Adds the name of a signal, if the whole name is known.
  mutating func addName(of signal: TraceID, _ facts: FindingFacts) {
    guard let name = facts.signalNames().wholeName(of: signal) else { return }
    known.append("the signal is \(displayName(endOf: name, columns: 400))")
  }

  /// Adds where and why the recording ended early, if it did, and what the trace has lost, because
  /// records that matter for the answer may be missing.
  public mutating func addLosses(of snapshot: TraceSnapshot) {
    if let end = snapshot.earlyEnd {
      let time = end.ticks.map { max(.zero, snapshot.time($0)) }
      unknown.append(EarlyEndInfo(end, time: time).sentence)
    }
    if !snapshot.lostEntries.isEmpty || snapshot.firstLoss != nil
      || snapshot.missingSegments > 0 || snapshot.damagedSegments > 0
    {
      // Explanations do not use marks.
      var snapshot = snapshot
      (snapshot.lostEntries[.marks], snapshot.lostEntries[.markCounts]) = (nil, nil)
      unknown += Losses.sentences(snapshot)
    }
  }

  /// Adds the place in the program's own code where the subject was ended, was subscribed to, or
  /// crashed; for a subscription, the callers of that place as well.
  ///
  /// ``backtrace`` must already contain the lines of ``chain``.
  public mutating func addPlace() {
    var places = AsyncBacktraceText.ownPlaces(in: backtrace)[...]
    guard let action, let place = places.popFirst() else { return }
    switch action {
    case .ended: answer += " That was in \(place)."
    case .crashed: answer += " It crashed in \(place)."
    case .subscribed:
      // If a helper function made the subscription, the callers of that function show its purpose.
      let callers = places.prefix(3).map { ", called from \($0)" }.joined()
      known.append("it was subscribed to in \(place)\(callers)")
    }
  }

  /// The explanation as text for people: the title, the steps in columns, the answer, and all
  /// further facts.
  ///
  /// - Parameter showsAllFrames: Whether the backtraces include functions of libraries.
  /// - Returns: The lines.
  public func text(showsAllFrames: Bool = false) -> String {
    func line(_ text: String) -> String { displayName(text, columns: 4000) }
    func frames(_ lines: [String]) -> [String] {
      showsAllFrames ? lines : AsyncBacktraceText.folded(lines)
    }
    var lines = [line(title), ""] + Self.rows(steps)
    if !steps.isEmpty { lines.append("") }
    lines.append(line(answer))
    if !known.isEmpty { lines += ["", "Known:"] + known.map { "  " + line($0) } }
    if !unknown.isEmpty { lines += ["", "Not known:"] + unknown.map { "  " + line($0) } }
    if !backtrace.isEmpty {
      lines += ["", "Backtrace:"] + frames(backtrace).map { "  " + line($0) }
    }
    for part in parts {
      lines += ["", line(part.title) + ":"] + Self.rows(part.steps)
      if !part.backtrace.isEmpty {
        lines += ["", "  Backtrace:"] + frames(part.backtrace).map { "  " + line($0) }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The steps as lines in columns.
  private static func rows(_ steps: [Step]) -> [String] {
    func line(_ text: String) -> String { displayName(text, columns: 4000) }
    let names = steps.map { step in
      "\(step.isCulprit ? "▶" : " ") \(line(step.name))"
    }
    let places = steps.map { line($0.location) }
    let first = names.map(\.count).max() ?? 0
    let second = places.map(\.count).max() ?? 0
    return steps.enumerated().map { index, step in
      let event = step.event.map { "  #\($0)" } ?? ""
      let row =
        names[index].padded(to: first) + "  " + places[index].padded(to: second) + "  "
        + line(step.note) + event
      return row.trimmedEnd
    }
  }
}

/// Why something cannot be explained.
public struct ExplainError: Error, CustomStringConvertible {
  /// What is wrong, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, count - self.count))
  }

  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
