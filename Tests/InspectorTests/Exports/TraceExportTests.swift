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
}
