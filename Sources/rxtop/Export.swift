public import ArgumentParser
import Glibc
import InspectorUI
public import TraceExports
import TraceModel
import TraceReading

/// What is exported: one trace in a format, or rows of many traces for a fleet.
enum ExportChoice: ExpressibleByArgument, Equatable {
  case trace(ExportFormat)
  case fleet

  init?(argument: String) {
    guard argument != "fleet" else {
      self = .fleet
      return
    }
    guard let format = ExportFormat(rawValue: argument) else { return nil }
    self = .trace(format)
  }

  static var allValueStrings: [String] { ExportFormat.allCases.map(\.rawValue) + ["fleet"] }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

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
      pprof       what lives and has lived, and how long work waited and ran, by asynchronous backtrace, \
      for go tool pprof
      sqlite      tables and views for queries in SQL
      fleet       rows of many recordings for a warehouse: into a folder with -o, into ClickHouse with --clickhouse

      rxtop export fleet recordings/ -o rows
      rxtop export fleet --every 60s --clickhouse http://host:8123/database --spool /var/spool/rxtop

      Documentation/Exports.md describes the fields, Documentation/Queries.md the database, and Documentation/Fleet.md \
      the warehouse. export fleet ends with status 5 if rows were not delivered.
      """
  )

  @Argument(
    help: "ndjson, csv, chrome, perfetto, dot, mermaid, speedscope, pprof, sqlite or fleet."
  )
  var format: ExportChoice

  @Argument(
    help: ArgumentHelp(
      "The PID of a traced process, or a trace file; for fleet several, and folders with traces.",
      valueName: "pid|file"
    )
  )
  var targets: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write; it must not exist yet. Without it, standard output. For fleet, the folder.",
      valueName: "file"
    )
  )
  var output: String?

  @Option(help: "csv: sites, signals, subscriptions, timers, queues, events or findings.")
  var table = ExportTable.sites

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "dot and mermaid: a node for each site or each subscription; by default whichever is readable.",
      valueName: "what"
    )
  )
  var grouping: Grouping?

  @Option(help: ArgumentHelp("mermaid: the journey of this event.", valueName: "number"))
  var event: UInt64?

  @Option(
    help: ArgumentHelp(
      "csv, dot and mermaid: write only rows or nodes that pass.",
      valueName: "filter"
    )
  )
  var filter = ""

  @OptionGroup var fleet: FleetOptions

  /// What a node of a graph represents.
  enum Grouping: String, CaseIterable, ExpressibleByArgument { case site, subscription }

  func validate() throws {
    guard case .trace(let format) = format else {
      if grouping != nil || event != nil || !filter.isEmpty {
        throw ValidationError(
          "'--by', '--event' and '--filter' do not apply to fleet; leave them out"
        )
      }
      return
    }
    guard targets.count <= 1 else {
      throw ValidationError(
        "the format '\(format.rawValue)' takes one trace; leave out '\(targets[1])' and what follows"
      )
    }
    if targets.isEmpty { throw ValidationError("Missing expected argument '<pid|file>'") }
    if let option = fleet.given.first {
      throw ValidationError("'\(option)' is for the format fleet only; leave it out")
    }
  }

  func run() throws {
    do {
      switch format {
      case .fleet where fleet.ddl: Output.write(FleetTable.statements)
      case .fleet: try Fleet(fleet, targets, output: output).run()
      case .trace(let format): try run(format)
      }
    } catch let error as TraceError {
      throw Failure(.unreadable, error.description)
    } catch let error as ExportError {
      throw Failure(.unreadable, error.description)
    }
  }

  private func run(_ format: ExportFormat) throws {
    let path = try Target.path(targets[0])
    if output == nil, format.isBinary, Output.isTerminal(STDOUT_FILENO) {
      throw Failure(
        .usage,
        "the format '\(format.rawValue)' is not text; give it a file with -o, or send it into a pipe"
      )
    }
    if let output { try Files.requireNew(output) }
    var options = TraceExport.Options()
    options.table = table
    options.event = event
    options.filter = filter
    options.isBySubscription = grouping.map { $0 == .subscription }
    let export = TraceExport(try TraceReader(path: path).snapshot())
    if let output {
      try Files.create(output) { try export.write(format, options, to: $0) }
      Output.write("'\(displayName(output))' opens with \(format.opensWith)\n")
    } else {
      try export.write(format, options) { Output.write($0) }
    }
  }
}
