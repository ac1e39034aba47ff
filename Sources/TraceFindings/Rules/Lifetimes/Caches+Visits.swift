import TraceModel
import TraceReading

extension Caches {
  /// The times at which shared signals had subscribers.
  struct Visits {
    private struct Visit {
      var begin: UInt64
      var end: UInt64?
      var number: UInt64
    }

    private var visits: [UInt32: [Visit]] = [:]

    init(of signals: Set<UInt32>, except runs: Set<TraceID>, _ facts: FindingFacts) {
      var open: [TraceID: (signal: UInt32, place: Int)] = [:]
      for record in facts.records {
        switch record.kind {
        case .subscribed:
          let signal = record.subscribing?.signal.rawValue ?? 0
          guard signals.contains(signal), !runs.contains(record.entity) else { continue }
          open[record.entity] = (signal, visits[signal]?.count ?? 0)
          visits[signal, default: []].append(
            Visit(begin: record.ticks, end: nil, number: record.number)
          )
        case .ended:
          guard let (signal, place) = open.removeValue(forKey: record.entity) else { continue }
          visits[signal]?[place].end = record.ticks
          visits[signal]?[place].number = record.number
        default: break
        }
      }
    }

    /// The stretches of time without a subscriber, since the first subscriber left.
    func gaps(_ signal: UInt32) -> [Range<UInt64>] {
      var stretches: [Range<UInt64>] = []
      var until: UInt64?
      for visit in (visits[signal] ?? []).sorted(by: { $0.begin < $1.begin }) {
        if let until, visit.begin > until { stretches.append(until..<visit.begin) }
        guard let end = visit.end else { return stretches }
        until = max(until ?? 0, end)
      }
      if let until, until < .max { stretches.append(until..<UInt64.max) }
      return stretches
    }

    /// When the first subscriber came, in ticks; the greatest number if there was none.
    func first(_ signal: UInt32) -> UInt64 { (visits[signal] ?? []).map(\.begin).min() ?? .max }

    func numbers(_ signal: UInt32) -> [UInt64] { (visits[signal] ?? []).map(\.number) }

    /// When the last subscriber ended, for how long there has been none since, and the longest
    /// earlier time without a subscriber; nil if a subscriber is live.
    ///
    /// If there never was a subscriber, the result is nil unless `isGone` says that none can come any
    /// more.
    func timeWithoutSubscriber(
      _ run: TraceSlot,
      isGone: Bool,
      _ facts: FindingFacts
    ) -> (since: UInt64, seconds: Double, longestBefore: Double)? {
      let all = (visits[run.signal] ?? []).sorted { $0.begin < $1.begin }
      guard !all.isEmpty else {
        return isGone ? (run.createdAt, facts.seconds(from: run.createdAt, to: facts.last), 0) : nil
      }
      var until = run.createdAt
      var longest = 0.0
      for (place, visit) in all.enumerated() {
        // The time before the first subscriber is not counted.
        if place > 0, visit.begin > until {
          longest = max(longest, facts.seconds(from: until, to: visit.begin))
        }
        guard let end = visit.end else { return nil }
        until = max(until, end)
      }
      return (until, facts.seconds(from: until, to: facts.last), longest)
    }
  }
}
