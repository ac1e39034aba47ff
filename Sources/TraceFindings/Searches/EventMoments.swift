import TraceModel
import TraceReading

/// When values passed through some subscriptions, in order.
struct EventMoments {
  struct Moment {
    var ticks: UInt64
    var number: UInt64
    var thread: UInt32
  }

  private var found: [Int: [Moment]] = [:]

  /// - Parameters:
  ///   - places: The indices of the subscriptions in the histories.
  ///   - histories: All subscriptions.
  ///   - facts: The trace.
  /// - Complexity: O(records).
  init(of places: Set<Int>, _ histories: Histories, _ facts: FindingFacts) {
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    let ids = Set(places.map { histories.all[$0].key.id })
    var found: [Int: [Moment]] = [:]
    // Identifiers are reused, so it matters which subscription has one at a time.
    var current: [TraceID: Int] = [:]
    for place in places where histories.all[place].creation == 0 {
      current[histories.all[place].key.id] = place
    }
    facts.records.forEach(of: RecordKinds([.next, .subscribed]), in: rows) { _, record in
      guard ids.contains(record.entity) else { return }
      if let creation = record.subscribing {
        let key = EntityKey(id: record.entity, serial: creation.serial)
        current[record.entity] = histories.place(of: key).flatMap {
          places.contains($0) ? $0 : nil
        }
      } else if let place = current[record.entity] {
        found[place, default: []].append(
          Moment(ticks: record.ticks, number: record.number, thread: record.thread)
        )
      }
    }
    self.found = found
  }

  subscript(place: Int) -> [Moment] { found[place] ?? [] }
}
