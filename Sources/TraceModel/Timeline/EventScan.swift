import TraceReading

/// Finds the records whose rows pass a filter, a few thousand records (a stretch) at a time.
///
/// The scan begins with the latest records up to an instant and proceeds backwards to the first. It
/// keeps its results when the instant moves, and when a running program has recorded more: then it
/// searches only the records that it has not searched before.
///
/// It needs one bit of memory for each record.
package struct EventScan: Sendable {
  private var log: EventLog?
  /// The number of records up to the instant.
  private var limit = 0
  private var stretches: [TraceRecords.Stretch] = []
  /// The number of stretches that begin before the instant.
  private var reached = 0
  /// The records that pass, by the identifier of the stretch.
  private var found: [UInt64: EventMarks] = [:]
  /// The index of a stretch: all stretches from this one up to the instant have been searched.
  private var frontier = 0
  /// The number of records that were not searched because the search was stopped.
  package private(set) var leftOut = 0

  /// A scan that has found nothing yet.
  package init() {}

  /// Whether all records up to the instant have been searched.
  package var isDone: Bool { frontier == 0 }

  /// The number of records up to the instant.
  package var total: Int { limit }

  /// How many of them have been searched.
  package var searched: Int {
    frontier == 0 ? limit : max(0, limit - stretches[frontier - 1].rows.upperBound)
  }

  /// The number of rows that were searched, whether they passed or not.
  package private(set) var rowsSearched = 0

  // MARK: Searching

  /// Continues with the first `count` records of `log`, which are those up to the instant.
  package mutating func move(to log: EventLog, upTo count: Int) {
    self.log = log
    limit = min(count, log.records.count)
    stretches = log.records.stretches
    if stretches.contains(where: { $0.id == nil }) { found = [:] }
    if found.count > 2 * stretches.count + 64 {
      let there = Set(stretches.map { name($0) })
      found = found.filter { there.contains($0.key) }
    }
    reached = stretches.prefixCount { $0.rows.lowerBound < limit }
    frontier = reached
    skipWhatIsKnown()
  }

  /// Searches the next records, backwards, always in whole stretches.
  ///
  /// - Parameters:
  ///   - records: The approximate number of records to search.
  ///   - admits: Whether a row passes; nil if all do.
  package mutating func searchNext(records: Int, _ admits: ((EventRow) -> Bool)?) {
    guard let log, frontier > 0 else { return }
    var first = frontier - 1
    while first > 0,
      stretches[frontier - 1].rows.upperBound - stretches[first].rows.lowerBound < records,
      found[name(stretches[first - 1])] == nil
    {
      first -= 1
    }
    let batch = stretches[first..<frontier]
    var marks = batch.map { EventMarks(from: $0.first, to: $0.rows.upperBound) }
    let rows = stretches[first].rows.lowerBound..<stretches[frontier - 1].rows.upperBound
    var stops: [Int] = []
    var place = 0
    func mark(_ row: Int, passes: Bool) {
      while row >= batch[first + place].rows.upperBound { place += 1 }
      marks[place].note(row - batch[first + place].first, passes: passes)
    }
    log.records.forEach(of: Step.eventKinds, in: rows) { row, _ in
      if admits == nil { mark(row, passes: true) } else { stops.append(row) }
    }
    if let admits {
      log.forEach(of: stops, after: stops.first.flatMap(log.stop(before:))) { row, event in
        mark(row, passes: admits(event))
      }
    }
    for (stretch, marks) in zip(batch, marks) { found[name(stretch)] = marks }
    frontier = first
    skipWhatIsKnown()
  }

  /// Stops the search: records that have not been searched yet count as left out.
  package mutating func stop() {
    for stretch in stretches[..<frontier] where found[name(stretch)] == nil {
      leftOut += stretch.rows.count
      found[name(stretch)] = EventMarks(from: 0, to: 0)
    }
    frontier = 0
  }

  private mutating func skipWhatIsKnown() {
    while frontier > 0, found[name(stretches[frontier - 1])] != nil { frontier -= 1 }
    rowsSearched = stretches[frontier..<reached].reduce(0) { $0 + (found[name($1)]?.stops ?? 0) }
  }

  private func name(_ stretch: TraceRecords.Stretch) -> UInt64 {
    stretch.id ?? UInt64(stretch.rows.lowerBound)
  }

  // MARK: Rows

  /// The rows that have passed so far, oldest first.
  ///
  /// - Parameter comparesWithAll: Whether ``EventRow/sincePrevious`` is relative to the preceding
  ///   row even if that row does not pass.
  /// - Returns: The rows, each made on access.
  package func rows(comparesWithAll: Bool = false) -> EventRows {
    guard let log else { return EventRows([]) }
    var parts: [FoundEvents.Part] = []
    var before = 0
    for stretch in stretches[frontier..<reached] {
      guard let marks = found[name(stretch)], marks.count > 0 else { continue }
      let rows = stretch.rows.lowerBound..<min(stretch.rows.upperBound, limit)
      let skipped = marks.rank(of: rows.lowerBound - stretch.first)
      let count = marks.rank(of: rows.upperBound - stretch.first) - skipped
      guard count > 0 else { continue }
      parts.append(
        FoundEvents.Part(
          first: stretch.first,
          rows: rows,
          marks: marks,
          skipped: skipped,
          before: before,
          count: count
        )
      )
      before += count
    }
    return EventRows(FoundEvents(log, parts, comparesWithAll: comparesWithAll))
  }
}

/// A set of records of a stretch, with one bit for each record.
struct EventMarks: Sendable {
  /// The bits; empty if no record is marked.
  private var words: [UInt64] = []
  private let wordCount: Int
  /// The number of marked records.
  private(set) var count = 0
  /// The number of records that have a row, marked or not.
  private(set) var stops = 0

  init(from first: Int, to end: Int) { wordCount = max(0, end - first + 63) / 64 }

  mutating func note(_ place: Int, passes: Bool) {
    stops += 1
    guard passes else { return }
    if words.isEmpty { words = [UInt64](repeating: 0, count: wordCount) }
    words[place / 64] |= 1 << UInt64(place % 64)
    count += 1
  }

  func contains(_ place: Int) -> Bool {
    place >= 0 && place / 64 < words.count && words[place / 64] >> UInt64(place % 64) & 1 != 0
  }

  /// The number of marked records before a place.
  func rank(of place: Int) -> Int {
    guard place > 0 else { return 0 }
    var rank = 0
    for (index, word) in words.prefix((place + 63) / 64).enumerated() {
      let left = place - index * 64
      rank += (left < 64 ? word & ((1 << UInt64(left)) - 1) : word).nonzeroBitCount
    }
    return rank
  }

  /// The places of the marked records that have these indices among the marked records.
  func places(_ numbers: Range<Int>) -> [Int] {
    var places: [Int] = []
    var number = 0
    for (index, word) in words.enumerated() {
      if number >= numbers.upperBound { break }
      let count = word.nonzeroBitCount
      defer { number += count }
      guard number + count > numbers.lowerBound else { continue }
      var rest = word
      var at = number
      while rest != 0 {
        if numbers.contains(at) { places.append(index * 64 + rest.trailingZeroBitCount) }
        rest &= rest - 1
        at += 1
      }
    }
    return places
  }
}
