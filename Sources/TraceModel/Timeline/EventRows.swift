import Glibc
import TraceReading

/// Rows of events, oldest first, however many there are; each is made on access.
package struct EventRows: RandomAccessCollection, Sendable {
  private enum Source: Sendable {
    case list([EventRow])
    case found(FoundEvents)
  }

  private let source: Source

  /// Rows that already exist.
  package init(_ rows: [EventRow]) { source = .list(rows) }

  init(_ found: FoundEvents) { source = .found(found) }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch source {
    case .list(let rows): rows.count
    case .found(let found): found.count
    }
  }

  package subscript(index: Int) -> EventRow {
    switch source {
    case .list(let rows): rows[index]
    case .found(let found): found[index]
    }
  }

  /// The number of the record of a row, without making the row.
  package func number(at index: Int) -> UInt64 {
    switch source {
    case .list(let rows): rows[index].number
    case .found(let found): found.number(at: index)
    }
  }

  /// The time of a row, without making it.
  package func time(at index: Int) -> Duration {
    switch source {
    case .list(let rows): rows[index].time
    case .found(let found): found.time(at: index)
    }
  }

  /// The index of the row of a record; nil if there is none.
  ///
  /// If the rows were found by a search and the record has none, it is the index of the nearest row
  /// before the record, or else of the first row.
  package func index(nearest number: UInt64) -> Int? {
    switch source {
    case .list(let rows): rows.firstIndex { $0.number == number }
    case .found(let found): found.index(nearest: number)
    }
  }

  /// Makes the rows of a range in sequence, without keeping them.
  package func forEach(in range: Range<Int>, _ body: (_ index: Int, _ row: EventRow) -> Void) {
    switch source {
    case .list(let rows): for index in range { body(index, rows[index]) }
    case .found(let found): found.forEach(in: range, body)
    }
  }

  /// Makes all rows starting at an index, a few thousand at a time, and keeps none.
  ///
  /// Most of the time is spent identifying the entities, which is done once for each piece; pages
  /// of 64 rows would repeat it more often.
  package func forEachPiece(from first: Int = 0, _ body: ([EventRow]) throws -> Void) rethrows {
    for start in stride(from: first, to: count, by: Self.pieceLength) {
      var piece: [EventRow] = []
      piece.reserveCapacity(Self.pieceLength)
      forEach(in: start..<Swift.min(start + Self.pieceLength, count)) { piece.append($1) }
      try body(piece)
    }
  }

  private static let pieceLength = 1 << 13
}

/// The rows of the records that a search found, with a cache of the pages that were accessed last.
///
/// `@unchecked Sendable`: `pages` is only accessed with the mutex held.
final class FoundEvents: @unchecked Sendable {
  /// The rows of a stretch of records.
  struct Part: Sendable {
    /// The row of the record to which the first bit of ``marks`` belongs.
    let first: Int
    /// The records of the stretch that are included.
    let rows: Range<Int>
    let marks: EventMarks
    /// The number of marked records in the stretch that come before the included ones.
    let skipped: Int
    /// The number of rows in the parts before this one.
    let before: Int
    let count: Int
  }

  let count: Int
  private let log: EventLog
  private let parts: [Part]
  private let comparesWithAll: Bool
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var pages: [(number: Int, rows: [EventRow])] = []

  /// The number of rows that are made together.
  private static let pageLength = 64
  /// The number of pages in the cache.
  private static let pageLimit = 8

  init(_ log: EventLog, _ parts: [Part], comparesWithAll: Bool) {
    self.log = log
    self.parts = parts
    self.comparesWithAll = comparesWithAll
    count = parts.last.map { $0.before + $0.count } ?? 0
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  subscript(index: Int) -> EventRow {
    let number = index / Self.pageLength
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let page = pages.first(where: { $0.number == number }) {
      return page.rows[index - number * Self.pageLength]
    }
    var rows: [EventRow] = []
    let first = number * Self.pageLength
    forEach(in: first..<min(first + Self.pageLength, count)) { _, row in rows.append(row) }
    if pages.count >= Self.pageLimit { pages.removeFirst() }
    pages.append((number, rows))
    return rows[index - first]
  }

  func number(at index: Int) -> UInt64 { log.records[record(at: index)].number }

  func time(at index: Int) -> Duration { log.time(of: record(at: index)) }

  func forEach(in range: Range<Int>, _ body: (_ index: Int, _ row: EventRow) -> Void) {
    let records = records(in: range)
    var index = range.lowerBound
    let before = range.lowerBound > 0 ? record(at: range.lowerBound - 1) : nil
    log.forEach(of: records, after: before) { record, event in
      var event = event
      if comparesWithAll { event.sincePrevious = log.sincePrevious(record) }
      body(index, event)
      index += 1
    }
  }

  func index(nearest number: UInt64) -> Int? {
    guard let row = log.records.row(ofNumber: number) else { return nil }
    let place = parts.prefixCount { $0.rows.lowerBound <= row } - 1
    guard parts.indices.contains(place) else { return count > 0 ? 0 : nil }
    let part = parts[place]
    let end = min(row + 1, part.rows.upperBound)
    return max(0, part.before + part.marks.rank(of: end - part.first) - part.skipped - 1)
  }

  private func record(at index: Int) -> Int { records(in: index..<(index + 1))[0] }

  /// The records of the given rows.
  private func records(in range: Range<Int>) -> [Int] {
    guard !range.isEmpty else { return [] }
    var records: [Int] = []
    var place = parts.prefixCount { $0.before + $0.count <= range.lowerBound }
    while place < parts.count, parts[place].before < range.upperBound {
      let part = parts[place]
      let from = max(range.lowerBound, part.before) - part.before + part.skipped
      let to = min(range.upperBound, part.before + part.count) - part.before + part.skipped
      records += part.marks.places(from..<to).map { part.first + $0 }
      place += 1
    }
    return records
  }
}
