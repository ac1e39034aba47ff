internal import ArgumentParser
internal import InspectorUI
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// The subcommand `dump`.
struct Dump: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print a trace in its text form, or one of its events.",
    discussion:
      "The text form is described in TraceFormat.md; rxtop assemble turns it back into a trace file."
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(
    help: ArgumentHelp(
      "Only this event, by the number in a finding, with the ten before it.",
      valueName: "number"
    )
  )
  var event: UInt64?

  @Flag(help: "Only the asynchronous backtraces, with functions, files and lines.")
  var backtraces = false

  @OptionGroup var display: DisplayOptions

  func run() throws {
    let path = try Target.path(target)
    if let event {
      try print(event, of: path)
      return
    }
    if backtraces {
      try printBacktraces(of: path)
      return
    }
    var text = ""
    do {
      try TraceText.dump(try TraceReader(path: path)) { line in
        text += displayName(line, columns: 1 << 20) + "\n"
        guard text.utf8.count > 1 << 16 else { return }
        Output.write(text)
        text = ""
      }
    } catch {
      throw Failure(.unreadable, error.description)
    }
    Output.write(text)
  }

  private func printBacktraces(of path: String) throws {
    do {
      let snapshot = try TraceReader(path: path).snapshot()
      // All addresses are looked up at once, because reading the debug information takes most of
      // the time.
      let symbolizer = Symbolizer(snapshot).knowing(snapshot.chains.lazy.flatMap(\.frames))
      let texts = AsyncBacktraceText(snapshot)
      // A chain is a recorded backtrace. One that is the parent of another is printed as a part of
      // it.
      let parents = Set(snapshot.chains.map(\.parent))
      for problem in snapshot.problems {
        Output.write("\(displayName(problem.description, columns: 1 << 20))\n")
      }
      if snapshot.chains.count < 2 {
        Output.write(
          "no asynchronous backtrace is in the trace: nothing was scheduled, it was recorded with stacks=off, or its tables are missing\n"
        )
      }
      for chain in 1..<max(1, UInt32(snapshot.chains.count)) where !parents.contains(chain) {
        Output.write("chain \(chain)\n")
        for line in texts.lines(of: chain, symbolizer) {
          Output.write("  \(displayName(line, columns: 1 << 20))\n")
        }
      }
    } catch {
      throw Failure(.unreadable, error.description)
    }
  }

  private func print(_ event: UInt64, of path: String) throws {
    var source = try TraceSource(path: path)
    var inspection = try source.inspection(at: .event(event))
    let last = inspection.events.last
    guard let last, last.number == event || last.contentNumber == event else {
      throw Failure(
        .unreadable,
        "'\(displayName(path))' has no event \(event), or no longer has it; rxtop --once --screen events lists the latest"
      )
    }
    inspection.events = inspection.events.suffix(11)
    let columns = Output.isTerminal(1) ? Output.columns : 160
    Output.write(
      BatchText(
        screen: .events,
        filter: "",
        columns: columns,
        glyphs: display.glyphs,
        palette: display.palette
      )
      .render(inspection)
    )
  }
}
