internal import ArgumentParser
internal import InspectorKit
internal import ReactiveTrace

/// The subcommand `check`.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for findings and say so in the exit status.",
    discussion: """
      Exit status: 0 nothing at or above --fail-on, 1 findings, 2 the command line is wrong, \
      3 the trace cannot be read, 4 nothing found but the trace is too incomplete to be sure.
      """
  )

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(
    help: ArgumentHelp(
      "Fail from this level on.",
      valueName: "level"
    )
  )
  var failOn = LevelName.leak

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing; the exit status says it.")
  var quiet = false

  @OptionGroup var look: LookOptions

  func run() throws {
    var source = try TraceSource(path: try Target.path(target))
    let inspection = try source.inspection(at: .end)
    let status = ExitStatus(checking: inspection, failOn: failOn.level)
    if json {
      Output.write(InspectionJSON.text(inspection))
    } else if !quiet {
      let columns = Output.isTerminal(1) ? Output.columns : max(120, Output.columns)
      let text = OnceText(
        screen: .findings,
        filter: "",
        columns: columns,
        glyphs: look.glyphs,
        palette: look.palette
      )
      Output.write(text.render(inspection))
      if status == .incomplete {
        Output.write(
          "\nThe trace is incomplete: that nothing was found proves nothing (exit status 4).\n"
        )
      }
    }
    if status != .clean { throw ExitCode(status.rawValue) }
  }
}
