internal import ArgumentParser
internal import CNcurses
internal import Glibc
internal import InspectorKit
internal import ReactiveTrace

/// The subcommand `top`.
struct Top: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Open a running program or a recording (the default).",
    discussion: """
      Without an argument: the traced program that runs, or a choice of several. Where standard \
      input or output is not a terminal, the text of --once is printed.
      """
  )

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String?

  @Flag(help: "Print the screen as text and exit.")
  var once = false

  @Flag(help: "Print everything as JSON and exit, with or without --once.")
  var json = false

  @Option(help: "The screen to begin with, or to print.")
  var screen: Screen = .sites

  @Option(
    help: ArgumentHelp(
      "Show only rows with this text; | separates several, a leading ! inverts.",
      valueName: "text"
    )
  )
  var filter = ""

  @Option(
    help: ArgumentHelp(
      "Seconds between looks at a running program, 0.1 to 60.",
      valueName: "seconds"
    )
  )
  var refresh = 1.0

  @Option(
    help: ArgumentHelp(
      "While the screen is shown, raise what the program records to graph, events or values, as far as its RXTRACE allows.",
      valueName: "level"
    )
  )
  var raise: LevelToRaise?

  @OptionGroup var look: LookOptions

  func validate() throws {
    guard (0.1...60).contains(refresh) else {
      throw ValidationError("'\(refresh)' is no refresh interval; use 0.1 to 60 seconds")
    }
    if raise != nil, once || json {
      throw ValidationError(
        "'--raise' lasts while the screen is shown; leave --once and --json out"
      )
    }
  }

  func run() throws {
    let isInteractive =
      !once && !json && Output.isTerminal(STDIN_FILENO) && Output.isTerminal(STDOUT_FILENO)
    if isInteractive {
      try Interactive(
        target: target,
        screen: screen,
        filter: filter,
        refresh: .milliseconds(Int(refresh * 1000)),
        glyphs: look.glyphs,
        palette: look.palette ?? .mono,
        level: raise?.level
      ).run()
    } else {
      try Batch(
        path: try chosenPath(),
        isJSON: json,
        screen: screen,
        filter: filter,
        glyphs: look.glyphs,
        palette: look.palette
      ).run()
    }
  }

  /// The trace to print: the one named, or the only program that runs.
  private func chosenPath() throws -> String {
    if let target { return try Target.path(target) }
    let running = TraceDirectory.list().filter { $0.status == .running }
    guard let only = running.first else { throw Failure(.unreadable, TraceTarget.howToTrace) }
    guard running.count == 1 else {
      let list = TraceList.text(running, now: Output.now, width: 100, glyphs: look.glyphs)
      throw Failure(
        .unreadable,
        "several traced programs run; name one of these processes\n" + list
      )
    }
    return only.path
  }
}
