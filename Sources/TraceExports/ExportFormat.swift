/// The formats to which a trace can be exported.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// A line of JSON for each record, with the record that caused it.
  case ndjson
  /// A table for spreadsheets.
  case csv
  /// Trace events for ui.perfetto.dev and chrome://tracing.
  case chrome
  /// Perfetto's own trace events, as protocol buffers with backtraces.
  case perfetto
  /// The graph for Graphviz.
  case dot
  /// The graph, or the journey of an event, for Markdown.
  ///
  /// A journey consists of the events that led to one event, and of those that it led to.
  case mermaid
  /// Live subscriptions by asynchronous backtrace, for speedscope.app.
  case speedscope
  /// Live and past subscriptions, and how long work waited and ran, by asynchronous backtrace.
  case pprof
  /// An SQLite database, with tables and views for queries.
  case sqlite

  /// Whether the output is binary rather than text.
  public var isBinary: Bool { [.perfetto, .pprof, .sqlite].contains(self) }

  /// The programs that open a file of this format.
  public var opensWith: String {
    switch self {
    case .ndjson: "jq and scripts, line by line; Documentation/Exports.md has the keys"
    case .csv: "spreadsheets"
    case .chrome: "ui.perfetto.dev (Open trace file) or chrome://tracing"
    case .perfetto: "ui.perfetto.dev (Open trace file) or trace_processor"
    case .dot: "Graphviz, as in dot -Tsvg"
    case .mermaid: "Markdown on many sites, in a block of ```mermaid"
    case .speedscope: "www.speedscope.app"
    case .sqlite: "sqlite3 and others that read its files; Documentation/Queries.md has the tables"
    case .pprof: "go tool pprof, Pyroscope and others that read its profiles"
    }
  }
}

/// The tables that ``ExportFormat/csv`` can export.
public enum ExportTable: String, CaseIterable, Sendable {
  case sites, signals, subscriptions, timers, queues, events, findings
}

/// The reason why an export was refused or failed, with advice on what to do about it.
public struct ExportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence, without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
