import Testing
import TraceExports
import TraceReading

@Suite struct TraceExportTests {
  /// A turn and a mark at the highest time that a clock of nanoseconds can count.
  private func lateDelivery() -> TraceSnapshot {
    var snapshot = TraceSnapshot()
    for kind in [RecordKind.turnBegan, .turnEnded, .mark] {
      var record = TraceRecord()
      record.kind = kind
      record.number = UInt64(snapshot.records.count)
      record.ticks = .max
      record.id = 1
      snapshot.records.append(record)
    }
    return snapshot
  }

  @Test(arguments: ExportFormat.allCases)
  func extremeTimesAreLimitedToWhatTheFormatCanHold(_ format: ExportFormat) throws {
    let export = TraceExport(lateDelivery())
    nonisolated(unsafe) var count = 0
    try export.write(format) { count += $0.count }
    #expect(count > 0)
  }

  @Test(arguments: [ExportFormat.dot, .mermaid])
  func graphsSayHowManyLinesHaveEnded(_ format: ExportFormat) throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    _ = trace.subscribe(trace.site("subscribe", "Log.swift", 1, [.root]))
    let ended = trace.subscribe(trace.site("subscribe", "Pane.swift", 2, [.root]))
    func text(_ snapshot: TraceSnapshot) throws -> String {
      nonisolated(unsafe) var bytes: [UInt8] = []
      try TraceExport(snapshot).write(format) { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try !text(trace.finish()).contains("Only what was live"))
    trace.end(ended)
    trace.release(ended)
    let remark =
      "Only what was live at the end of the recording is drawn; left out: 1 line of code whose subscriptions had all ended."
    #expect(try text(trace.finish()).contains(remark))
  }
}
