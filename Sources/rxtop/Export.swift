public import ArgumentParser
import Glibc
import InspectorUI
public import TraceExports
import TraceModel
import TraceReading

extension ExportFormat: ExpressibleByArgument {}
extension ExportTable: ExpressibleByArgument {}

/// The subcommand `export`.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a trace in another program's format.",
    discussion: """
      ndjson      a line of JSON for each record, with what caused it
      csv         a table for spreadsheets; --table says which
      chrome      JSON for ui.perfetto.dev and chrome://tracing, with flows between queues
      perfetto    the same as protocol buffers, with backtraces
      dot         the graph for Graphviz, as in dot -Tsvg
      mermaid     the graph for Markdown; with --event, the journey of that event
      speedscope  what is alive, by asynchronous backtrace, for www.speedscope.app
      pprof       what is and was there, and how long work waited and ran, by asynchronous backtrace, \
      for go tool pprof
      sqlite      tables and views for questions in SQL

      Documentation/Exports.md describes the fields, and Documentation/Queries.md the database.
      """
  )

  @Argument(help: "ndjson, csv, chrome, perfetto, dot, mermaid, speedscope, pprof or sqlite.")
  var format: ExportFormat

  @Argument(
    help: ArgumentHelp("The number of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write; it must not exist yet. Without it, standard output.",
      valueName: "file"
    )
  )
  var output: String?

  @Option(
    help: "csv: sites, signals, subscriptions, timers, queues, events or findings."
  )
  var table = ExportTable.sites

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "dot and mermaid: a node for each site or each subscription; what is readable unless given.",
      valueName: "what"
    )
  )
  var grouping: Grouping?

  @Option(help: ArgumentHelp("mermaid: the journey of this event.", valueName: "number"))
  var event: UInt64?

  @Option(
    help: ArgumentHelp("csv, dot and mermaid: only rows or nodes that pass.", valueName: "filter")
  )
  var filter = ""

  /// What a node of a graph stands for.
  enum Grouping: String, CaseIterable, ExpressibleByArgument { case site, subscription }

  func run() throws {
    let path = try Target.path(target)
    if output == nil, format.isBinary, Output.isTerminal(STDOUT_FILENO) {
      throw Failure(
        .usage,
        "the format '\(format.rawValue)' is no text; give it a file with -o, or send it into a pipe"
      )
    }
    var options = TraceExport.Options()
    options.table = table
    options.event = event
    options.filter = filter
    options.isBySubscription = grouping.map { $0 == .subscription }
    do {
      let export = TraceExport(try TraceReader(path: path).snapshot())
      if let output {
        try Files.create(output) { try export.write(format, options, to: $0) }
        Output.write("'\(displayName(output))' opens with \(format.opensWith)\n")
      } else {
        try export.write(format, options) { Output.write($0) }
      }
    } catch let error as TraceError {
      throw Failure(.unreadable, error.description)
    } catch let error as ExportError {
      throw Failure(.unreadable, error.description)
    }
  }
}
