import TraceFindings
import TraceModel
public import TraceReading

/// A trace in another program's format.
public struct TraceExport: Sendable {
  /// The trace.
  let snapshot: TraceSnapshot
  /// The rows at the end of the trace.
  let inspection: Inspection

  /// Creates an export of a snapshot.
  public init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    inspection = Inspection(snapshot: snapshot)
  }

  /// The options of an export, each of which applies to some formats only.
  public struct Options: Sendable {
    /// The table of ``ExportFormat/csv``.
    public var table = ExportTable.sites
    /// For Mermaid, the number of an event to draw with its causes and effects; nil to draw the
    /// graph.
    public var event: UInt64?
    /// For DOT and Mermaid, whether the nodes are subscriptions rather than lines of code; nil for
    /// subscriptions if there are few, and otherwise for lines of code.
    public var isBySubscription: Bool?
    /// The filter of rows or nodes, as rxtop's screens accept it.
    public var filter = ""

    /// Creates the default options.
    public init() {}
  }

  /// Writes the trace in a format, piece by piece.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - options: The options.
  ///   - write: Receives the bytes, in order.
  /// - Throws: ``ExportError`` if the event is not in the trace, the format cannot represent the
  ///   trace or a temporary file cannot be written, and any error that `write` throws.
  /// - Complexity: O(records). The writers of NDJSON, Chrome JSON and Perfetto keep entities and
  ///   pending work in memory, but not records.
  public func write(
    _ format: ExportFormat,
    _ options: Options = Options(),
    to write: @escaping ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .ndjson: try NDJSONExport(snapshot).write(to: write)
    case .csv: try CSVExport(inspection, snapshot).write(options, to: write)
    case .chrome: try ChromeExport(snapshot).write(to: write)
    case .perfetto: try PerfettoExport(snapshot).write(to: write)
    case .dot: try write(Array(DOTExport(graph(options)).text.utf8))
    case .mermaid: try write(Array(try mermaid(options).utf8))
    case .sqlite:
      try DatabaseExport(snapshot: snapshot, inspection: inspection).write(to: write)
    case .pprof: try write(PprofExport(snapshot, inspection).bytes())
    case .speedscope: try write(Array(SpeedscopeExport(snapshot, inspection).text.utf8))
    }
  }

  private func graph(_ options: Options) -> ExportGraph {
    ExportGraph(inspection, isBySubscription: options.isBySubscription, filter: options.filter)
  }

  private func mermaid(_ options: Options) throws -> String {
    guard let event = options.event else { return try MermaidExport.text(graph(options)) }
    guard let journey = JourneyScan.journey(of: event, snapshot) else {
      throw ExportError(
        "event #\(event) is not in the trace, or not any more; rxtop --once --screen events lists "
          + "the latest"
      )
    }
    return try MermaidExport.text(journey)
  }
}
