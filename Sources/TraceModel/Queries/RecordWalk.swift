package import TraceReading

/// Access to the records of a snapshot by row, by time and by number, for queries and exports.
package struct RecordWalk {
  package let snapshot: TraceSnapshot

  package init(_ snapshot: TraceSnapshot) { self.snapshot = snapshot }

  package var rows: Range<Int> { 0..<snapshot.records.count }

  package subscript(row: Int) -> TraceRecord { snapshot.records[row] }

  /// The first row that is not earlier than `ticks`.
  ///
  /// - Complexity: O(log n).
  package func firstRow(from ticks: UInt64) -> Int { snapshot.records.count(before: ticks) }

  /// The rows of a stretch of time, both ends included.
  package func rows(from start: Duration, to end: Duration) -> Range<Int> {
    let first = firstRow(from: snapshot.ticks(at: start))
    let last = snapshot.ticks(at: end)
    let behind = firstRow(from: last == .max ? last : last + 1)
    return first..<max(first, behind)
  }

  /// The row of the record with a number; nil if there is none.
  package func row(of number: UInt64) -> Int? {
    snapshot.records.row(ofNumber: number)
  }

  /// The ticks from which on no record is missing; nil if there is no such part of the trace.
  package var exactFrom: UInt64? { snapshot.exactFrom }

  /// The latest rows up to and including a moment, limited to a maximum number.
  package func latestRows(upTo end: Duration, from start: Duration = .zero, limit: Int) -> Range<
    Int
  > {
    let rows = rows(from: start, to: end)
    return max(rows.lowerBound, rows.upperBound - limit)..<rows.upperBound
  }

  /// Calls `body` with the records of the given rows, in order.
  package func forEach(in rows: Range<Int>, _ body: (_ row: Int, _ record: TraceRecord) -> Void) {
    snapshot.records.forEach(of: Self.allKinds, in: rows, body)
  }

  private static let allKinds = RecordKinds { $0 != .continuation }

  /// The time from the beginning of the recording to an instant in ticks.
  package func time(_ ticks: UInt64) -> Duration { snapshot.time(ticks) }
}

extension TraceSnapshot {
  /// `map@Feed.swift:81`, as recorded.
  package func label(ofSite row: UInt32) -> String {
    site(row).map { "\($0.name)@\($0.location)" } ?? "?"
  }
}
