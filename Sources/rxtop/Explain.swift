public import ArgumentParser
public import InspectorKit
internal import ReactiveTrace

/// The subcommand `explain`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why nothing arrives, where an error came from, or what became of a value.",
    discussion: """
      rxtop explain FILE subscription 12  upstream from #12 to the first signal that is silent
      rxtop explain FILE error            the way of the last error, and its backtrace
      rxtop explain FILE error 4131       the way of the error that event #4131 is part of
      rxtop explain FILE value 4120       what became of the value of event #4120

      Numbers are those that screens, findings and rxtop dump show: of a subscription its number \
      in the order of creation, of an error or a value that of its record. Values are recorded at \
      level events only. What the trace does not tell is said, too.
      """
  )

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Argument(help: "What is asked for.")
  var subject: Explanation.Subject

  @Argument(help: "Which one; for an error, the last one if it is left out.")
  var number: UInt64?

  @Flag(help: "Print the explanation as JSON.")
  var json = false

  @Flag(help: "Leave the backtrace out.")
  var noBacktrace = false

  func validate() throws {
    if subject != .error, number == nil {
      throw ValidationError("explain \(subject.rawValue) needs a number: which one")
    }
  }

  func run() throws {
    let path = try Target.path(target)
    var explanation: Explanation
    do {
      let snapshot = try TraceReader(path: path).snapshot()
      switch subject {
      case .subscription: explanation = try SilenceExplanation.of(number ?? 0, in: snapshot)
      case .error: explanation = try FailureExplanation.of(number, in: snapshot)
      case .value: explanation = try ValueExplanation.of(number ?? 0, in: snapshot)
      }
      if explanation.chain != 0, !noBacktrace {
        explanation.backtrace = AsyncBacktraceText(snapshot)
          .lines(of: explanation.chain, Symbolizer(snapshot))
      }
    } catch {
      throw Failure(.unreadable, "\(error)")
    }
    Output.write(json ? explanation.json() : explanation.text())
  }
}

extension Explanation.Subject: ExpressibleByArgument {}
