internal import TraceReading

/// The events that a killed program had acknowledged, compared with those in its trace.
struct KilledTrace {
  /// The number of acknowledged events, and how many of these are in the exact window: the latest
  /// part of the trace, in which nothing was overwritten or lost.
  var acknowledged: UInt64 = 0
  var exact: UInt64 = 0
  /// The number of events in the trace that the program had not acknowledged when it was killed.
  var unacknowledged: UInt64 = 0
  /// How many times the whole ring had been recycled.
  var wraps: Double = 0
  var tailSegments = 0
  /// What is wrong with the trace; empty if nothing is.
  var losses: [String] = []

  private struct Events {
    /// The first and last event numbers in the window, and the event count in the status record
    /// before them.
    var first: UInt64 = 0
    var last: UInt64 = 0
    var status: UInt64?
  }

  init(trace path: String, _ file: Acknowledgements) {
    let trace: TraceSnapshot
    do throws(TraceError) {
      trace = try TraceReader(path: path, recordLimit: 1 << 24).snapshot()
    } catch {
      losses.append("it does not open: \(error)")
      return
    }
    let header = trace.header
    if let problem = trace.problems.first {
      losses.append("\(trace.problems.count) problems: \(problem)")
    }
    if header.state != .recording { losses.append("its state is \(header.state)") }
    if header.lostRecords > 0 { losses.append("\(header.lostRecords) records had no room") }
    if header.lost[.slab] ?? 0 > 0 { losses.append("entities had no slot") }
    tailSegments = Int(header.regions[.tail]?.used ?? 0)
    let segments = Double(max(1, header.regions[.segments]?.capacity ?? 1))
    wraps = Double(header.lastEpoch) / segments
    guard let exactFrom = trace.exactFrom else {
      losses.append("nothing in it is exact")
      return
    }
    let events = collect(trace)
    var last: [UInt32: UInt64] = [:]
    for record in trace.records where record.kind == .next {
      last[record.id] = UInt64(record.argument)
    }
    let slots = Dictionary(
      trace.slots.map { ($0.id.rawValue, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for row in 0..<file.count {
      let (id, number) = file.load(row)
      acknowledged += number
      guard number > 0 else { continue }
      guard let found = events[id] else {
        // The thread recorded nothing within the window. So its last event must be older, or be in
        // a segment of the generation before, which was still being written when the window began.
        let isOlder = slots[id].map { $0.lastEventAt < exactFrom } ?? false
        if !isOlder, last[id] ?? 0 < number {
          losses.append("nothing of thread \(row), which had acknowledged \(number)")
        }
        continue
      }
      // The count in a status record may include the event whose record follows it.
      if let status = found.status, found.first != status, found.first != status + 1 {
        losses.append("thread \(row): after \(status) events, the next is \(found.first)")
      }
      if found.last < number {
        losses.append("thread \(row): \(number) acknowledged, the last is \(found.last)")
      } else {
        unacknowledged += found.last - number
      }
      if found.first <= number { exact += number - found.first + 1 }
    }
  }

  /// Collects the numbers of each subscription's events within the window; gaps in them are losses.
  private mutating func collect(_ trace: TraceSnapshot) -> [UInt32: Events] {
    var events: [UInt32: Events] = [:]
    for record in trace.records where trace.isExact(record) {
      switch record.kind {
      case .entityStatus:
        if events[record.id] == nil, let status = record.status, status.kind == .subscription {
          events[record.id, default: Events()].status = status.eventCount
        }
      case .subscribed:
        events[record.id, default: Events()].status = 0
      case .next:
        let number = UInt64(record.argument)
        if let before = events[record.id], before.last > 0, number != before.last + 1 {
          losses.append("subscription \(record.id): \(before.last), then \(number)")
        }
        if events[record.id]?.first ?? 0 == 0 {
          events[record.id, default: Events()].first = number
        }
        events[record.id]?.last = number
      default: break
      }
    }
    // Without an event after a status, the last event number is the count in the status.
    return events.mapValues { events in
      guard events.first == 0, let status = events.status else { return events }
      return Events(first: status + 1, last: status, status: status)
    }
  }
}
