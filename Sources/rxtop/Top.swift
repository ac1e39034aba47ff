internal import ArgumentParser
internal import CNcurses
internal import Glibc
internal import InspectorUI
internal import TraceModel
internal import TraceReading

/// The subcommand `top`.
struct Top: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Open a running program or a recording (the default).",
    usage: """
      rxtop top [<pid|file> | --choose] [--once | --json] [--screen <screen>] [--filter <filter>] ...
      """,
    discussion: """
      Without an argument, rxtop opens the running traced program if there is only one; otherwise \
      it lists running programs and recordings to choose from, and keeps the list up to date. If \
      standard input or output is not a terminal, or TERM is dumb, it prints the text of --once.
      """
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String?

  @Flag(help: "Choose from programs and recordings, even if only one program runs.")
  var choose = false

  @Flag(help: "Print the screen as text and exit.")
  var once = false

  @Flag(help: "Print everything as JSON and exit, with or without --once.")
  var json = false

  @Option(help: "The screen to begin with, or to print.")
  var screen: Screen?

  @Option(
    help: ArgumentHelp(
      "Show only rows that pass: a text, or live>10 and the like; | is or, & is and, a leading ! not.",
      valueName: "filter"
    )
  )
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "Sort by this column of the screen, or of Sites if none is named; followed by up or down, as 'live up'.",
      valueName: "column"
    )
  )
  var sort: String?

  @OptionGroup var length: LengthOptions

  @Option(
    help: ArgumentHelp(
      "Refresh interval of a running program in seconds, 0.1 to 60.",
      valueName: "seconds"
    )
  )
  var refresh: Double?

  @Option(
    help: ArgumentHelp(
      "While the screen is shown, raise what the program records to graph, events or values, as far as its RXTRACE allows.",
      valueName: "level"
    )
  )
  var raise: LevelToRaise?

  @Option(
    help: ArgumentHelp(
      "Where the key o looks for source files, instead of where the program was compiled "
        + "and below the working directory.",
      valueName: "folder"
    )
  )
  var sourceRoot: String?

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if let refresh, !(0.1...60).contains(refresh) {
      throw ValidationError("'\(refresh)' is not a refresh interval; use 0.1 to 60 seconds")
    }
    let sorted = screen ?? .sites
    if let sort, !sorted.canSort(by: sort) {
      throw ValidationError(
        "'\(sort)' is not a column of \(sorted.title); use \(sorted.sortableColumns.joined(separator: ", "))"
      )
    }
    if let sourceRoot, !Files.isFolder(sourceRoot) {
      throw ValidationError("'--source-root \(sourceRoot)' is not a folder")
    }
    if choose, once || json || target != nil {
      throw ValidationError(
        "'--choose' shows a screen to choose from; leave --once, --json and the argument out"
      )
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
      && Output.variable("TERM") != "dumb"
    if isInteractive {
      let (stored, problems) = SettingsFile.read()
      var settings = stored
      for problem in problems {
        Output.toStandardError("rxtop: \(displayName(problem, columns: 400)); it is left out\n")
      }
      let first = screen ?? (sort == nil ? settings.screen ?? .map : .sites)
      if let sort { settings.sort[first] = sort }
      try Interactive(
        target: target,
        choose: choose,
        screen: first,
        filter: filter ?? settings.filter,
        refresh: .milliseconds(Int((refresh ?? settings.refresh ?? 1) * 1000)),
        glyphs: settings.ascii ? .ascii : display.glyphs,
        palette: display.palette(preferring: settings.color) ?? .mono,
        level: raise?.level,
        settings: settings,
        sourceRoot: sourceRoot
      ).run()
    } else {
      try Batch(
        path: try chosenPath(),
        isJSON: json,
        screen: screen ?? .sites,
        filter: filter ?? "",
        sort: sort,
        limit: length.limit,
        glyphs: display.glyphs,
        palette: display.palette
      ).run()
    }
  }

  /// The path of the trace to print: the named trace, or the trace of the only running program.
  private func chosenPath() throws -> String {
    if let target { return try Target.path(target) }
    let running = TraceDirectory.list().filter { $0.status == .running }
    guard let only = running.first else { throw Failure(.unreadable, TraceTarget.howToTrace) }
    guard running.count == 1 else {
      let list = TraceList.text(running, now: Output.now, width: 100, glyphs: display.glyphs)
      throw Failure(
        .unreadable,
        "several traced programs run; name one of these processes\n" + list
      )
    }
    return only.path
  }
}
