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
      and the backtraces of what lives. It says first what the recording has lost. It is readable in dark and \
      light, by keyboard, without its script, and printed.

      rxtop report app.rxtrace -o report.html
      rxtop report after.rxtrace --against before.rxtrace -o report.html

      With --against it says what got worse since the earlier run, as rxtop diff does. The page holds names, lines \
      of code and backtraces of the program, and values where findings quote some: know whom it is sent to.
      """
  )

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
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
    do {
      guard let output else { return Output.write(try page(path, earlier)) }
      var size = 0
      // Before the trace is read, which can take long: the file may exist already.
      try Files.create(output) { write in
        let page = try page(path, earlier)
        size = page.count
        try write(page)
      }
      Output.write(
        "'\(displayName(output))' opens in a browser; it is one file of \(Quantity.bytes(size))\n"
      )
    } catch let error as TraceError {
      throw Failure(.unreadable, error.description)
    }
  }

  private func page(_ path: String, _ earlier: String?) throws -> [UInt8] {
    let report = HTMLReport(
      try TraceSource(path: path),
      against: try earlier.map { try TraceSource(path: $0) }
    )
    return try report.page()
  }
}
