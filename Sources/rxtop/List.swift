internal import ArgumentParser
internal import InspectorUI
internal import TraceReading

/// The subcommand `ls`.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the traces of running and past programs.",
    discussion: """
      Looks in RXTRACE_DIR, XDG_RUNTIME_DIR/rxtrace, /dev/shm/rxtrace-UID and /tmp/rxtrace-UID. \
      Running programs come first, then the latest recordings.
      """
  )

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("Only traces that pass, as state=running or size>1M.", valueName: "filter")
  )
  var filter = ""

  @Option(
    help: ArgumentHelp(
      "Sort by process, state, program, started or size; followed by up or down.",
      valueName: "column"
    )
  )
  var sort: String?

  @OptionGroup var length: LengthOptions

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    let names = TraceList.sortableColumns
    if let name = sort?.split(separator: " ").first, !names.contains(String(name)) {
      throw ValidationError("'\(name)' is not a column of ls; use \(names.joined(separator: ", "))")
    }
  }

  func run() throws {
    let order = TraceList.Order(filter: filter, sort: sort, limit: length.limit)
    let entries = TraceDirectory.list()
    guard !json else {
      Output.write(TraceList.json(entries, now: Output.now, order: order))
      return
    }
    Output.write(
      TraceList.text(
        entries,
        now: Output.now,
        width: Output.isTerminal(1) ? Output.columns : 160,
        glyphs: display.glyphs,
        order: order
      )
    )
  }
}
