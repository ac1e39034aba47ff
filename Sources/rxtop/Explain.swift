public import ArgumentParser
import InspectorUI
import TraceExports
public import TraceFindings
import TraceModel
import TraceReading

/// The subcommand `explain`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Say why nothing arrives, where an error or a crash came from, what became of a value, or what to change.",
    discussion: """
      rxtop explain FILE subscription A.swift:9  upstream to the first silent signal
      rxtop explain FILE subscription 12         the same from subscription #12, or what ended it
      rxtop explain FILE error                   the last error, and its backtrace
      rxtop explain FILE error 4131              the error of event #4131
      rxtop explain FILE value 4120              the fate of the value of event #4120
      rxtop explain FILE crash                   what was under way when the program died
      rxtop explain FILE finding                 what is wrong, at which line, why, and what to change
      rxtop explain FILE finding 2               the same for the second finding, or a fingerprint

      A line of code stands for the oldest subscription made there, live or ended, for which a \
      finding says why few or no values reach it. Without such a finding, it stands for the oldest \
      live one, or, if a finding blames a caller, for the oldest live one of that caller; if none \
      is live, for the latest one, or the latest without a value. The answer includes what the \
      finding says and what to do, \
      and for the signals of a command or an action also what disables it. Numbers are those that screens, \
      findings and rxtop dump show: a subscription is numbered in the order of creation, an error or a value \
      has the number of its record. Values can be explained only if the trace was recorded at \
      level events or values. The answer also says what the trace cannot tell.

      For findings, --json prints file, line, reasoning and edit of each, in a stable form, which rxtop agent-guide \
      describes.
      """
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Argument(help: "What to explain.")
  var subject: Explanation.Subject

  @Argument(
    help: ArgumentHelp(
      "Which one: its number, or for a subscription also its line; by default the last error, or all findings.",
      valueName: "number|place"
    )
  )
  var which: String?

  @Flag(help: "Print the explanation as JSON.")
  var json = false

  @Flag(help: "Show the functions of libraries on backtraces, too.")
  var allFrames = false

  @Flag(help: "Leave the backtrace out.")
  var noBacktrace = false

  @Option(
    help: ArgumentHelp(
      "finding: what paths are relative to; by default the Git repository around the working directory, or else that directory.",
      valueName: "folder"
    )
  )
  var sourceRoot: String?

  func validate() throws {
    guard let which else {
      if [.error, .crash, .finding].contains(subject) { return }
      let (needed, screen) =
        subject == .subscription
        ? ("a number, or the line of code it was made at", "subscriptions")
        : ("the number of its event", "events")
      throw ValidationError(
        "explain \(subject.rawValue) needs \(needed); rxtop --once --screen \(screen) FILE shows the numbers"
      )
    }
    if subject == .crash {
      throw ValidationError("explain crash is about the whole program; leave '\(which)' out")
    }
    if number == nil, ![.subscription, .finding].contains(subject) {
      throw ValidationError(
        "'\(which)' is not the number of an event, which explain \(subject.rawValue) needs; rxtop dump and the screen Events show them"
      )
    }
  }

  /// The number in `12`, in `#12`, or in a label of a screen, such as `map@Feed.swift:81 #12`.
  private var number: UInt64? {
    guard let which, let word = which.split(separator: " ").last else { return nil }
    if word.hasPrefix("#") { return UInt64(word.dropFirst()) }
    return UInt64(which)
  }

  func run() throws {
    let path = try Target.path(target)
    if subject == .finding { return try explainFindings(path) }
    var explanation: Explanation
    do {
      let snapshot = try TraceReader(path: path).snapshot()
      switch subject {
      case .subscription:
        explanation =
          if let number { try SilenceExplanation.of(number, in: snapshot) } else {
            try SilenceExplanation.of(place: which ?? "", in: snapshot)
          }
      case .error: explanation = try FailureExplanation.of(number, in: snapshot)
      case .value: explanation = try ValueExplanation.of(number ?? 0, in: snapshot)
      case .crash, .finding: explanation = try CrashExplanation.of(snapshot)
      }
      explanation.addLosses(of: snapshot)
      if explanation.chain != 0 || !explanation.stack.isEmpty, !noBacktrace {
        explanation.backtrace = AsyncBacktraceText(snapshot)
          .lines(of: explanation.chain, from: explanation.stack, Symbolizer(snapshot))
        explanation.addPlace()
      }
      if !noBacktrace, explanation.parts.contains(where: { $0.chain != 0 }) {
        let text = AsyncBacktraceText(snapshot)
        let symbolizer = Symbolizer(snapshot).knowing(
          explanation.parts.flatMap { text.addresses(of: $0.chain) }
        )
        for place in explanation.parts.indices {
          explanation.parts[place].backtrace = text.lines(
            of: explanation.parts[place].chain,
            symbolizer
          )
        }
      }
    } catch {
      throw Failure(.unreadable, "\(error)")
    }
    Output.write(json ? explanation.json() : explanation.text(showsAllFrames: allFrames))
  }

  private func explainFindings(_ path: String) throws {
    do {
      var source = try TraceSource(path: path)
      let report = FindingReport(
        try source.inspection(at: .end),
        of: &source,
        below: sourceRoot,
        failOn: .leak,
        gone: nil
      )
      let answers = try which.map { try FindingAnswers(report, only: $0) } ?? FindingAnswers(report)
      Output.write(json ? answers.json() : answers.text())
    } catch {
      throw Failure(.unreadable, "\(error)")
    }
  }
}

extension Explanation.Subject: ExpressibleByArgument {}
