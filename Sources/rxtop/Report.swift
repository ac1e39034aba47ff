internal import ArgumentParser
internal import Glibc
internal import InspectorUI
internal import TraceExports
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// The subcommand `report`.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a page of HTML to send to somebody: findings, map, marbles, lines of code.",
    discussion: """
      The page is one file that needs no network and no rxtop: findings with their evidence and backtraces, the \
      map of the program as a drawing, when things happened, the lines of code as a table that can be sorted, \
      and the backtraces of what lives. It says first what the recording has lost. It works in dark and \
      light mode, by keyboard, without JavaScript, and printed.

      rxtop report app.rxtrace -o report.html
      rxtop report after.rxtrace --against before.rxtrace -o report.html

      With --against it says what got worse since the earlier run, as rxtop diff does. The page holds names, lines \
      of code and backtraces of the program, and values where findings quote some: think of who will see it.
      """
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(help: ArgumentHelp("An earlier run to compare with.", valueName: "pid|file"))
  var against: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write; it must not exist yet. Without it, standard output.",
      valueName: "file"
    )
  )
  var output: String?

  func run() throws {
    let path = try Target.path(target)
    let earlier = try against.map(Target.path)
    if output == nil, Output.isTerminal(STDOUT_FILENO) {
      throw Failure(
        .usage,
        "a report is for a browser; name a file with -o report.html, or send it into a pipe"
      )
    }
    if let output { try Files.requireNew(output) }
    do {
      let report = HTMLReport(
        try TraceSource(path: path),
        against: try earlier.map { try TraceSource(path: $0) }
      )
      let page = try report.page()
      guard let output else { return Output.write(page) }
      try Files.create(output, page)
      Output.write(
        "'\(displayName(output))' opens in a browser; it is one file of \(Quantity.bytes(page.count))\n"
      )
    } catch let error as TraceError {
      throw Failure(.unreadable, error.description)
    }
  }
}
