internal import ArgumentParser
internal import Glibc
internal import InspectorUI
internal import ReactiveTrace
internal import TraceModel

/// The root command, which parses the command line and runs a subcommand, by default `Top`.
@main
struct Rxtop: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "rxtop",
    abstract: "Show what the signals of a program do: live, paused, or from a recording.",
    usage: """
      rxtop [<pid|file>] [--once | --json] [--screen <screen>] [--filter <filter>] ...
      rxtop <subcommand> ...
      """,
    discussion: """
      Start a program with RXTRACE=1 in its environment; it then records its signals, \
      subscriptions and events into a file that rxtop opens while the program runs, after it \
      crashed, or later.

      rxtop                    the running traced program, or a list of programs and recordings
      rxtop 4711               the traced process 4711
      rxtop app.rxtrace        a recording, with the same screens and keys
      rxtop --once 4711        print one screen as text, and exit
      rxtop check app.rxtrace  findings, with an exit status for scripts

      RXTRACE=graph records lifetimes and counters only; \
      RXTRACE=graph,events:Shop,values:Cart.swift records more of a module, a file or a line.

      If the output is not a terminal, the screen is printed as text. On the screen, ? shows the \
      keys.
      """,
    version: "rxtop \(version)",
    subcommands: [
      Top.self, List.self, Record.self, Check.self, Explain.self, Diff.self, Marble.self,
      Export.self, Report.self,
      Dump.self, Assemble.self, Pack.self, Prune.self, Keys.self, AgentGuide.self,
    ],
    defaultSubcommand: Top.self
  )

  static func main() {
    Trace.ignoreEnvironment()
    signal(SIGPIPE, SIG_IGN)
    if CommandLine.arguments.dropFirst().elementsEqual([SymbolHelper.word]) { SymbolHelper.serve() }
    SymbolHelper.isUsed = true
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      finish(error)
    }
  }

  /// Prints the message of an error and exits with its status.
  private static func finish(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if code.isSuccess {
      if !message.isEmpty { print(message) }
      Glibc.exit(0)
    }
    if let failure = error as? Failure {
      Output.toStandardError(CommandError.line(failure.message))
      Glibc.exit(failure.status.rawValue)
    }
    if error is ExitCode { Glibc.exit(code.rawValue) }
    var text = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
    text = Suggestion.withoutFarSuggestion(text)
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let word = CommandLine.arguments.dropFirst().first,
      let name = Suggestion.nearest(to: word, in: names)
    {
      text += "\nDid you mean: rxtop \(name)"
    }
    Output.toStandardError(CommandError.line(text))
    Glibc.exit(ExitStatus(argumentParser: code.rawValue).rawValue)
  }
}

/// An error with a message and the exit status of rxtop.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
