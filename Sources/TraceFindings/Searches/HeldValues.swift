import TraceModel
import TraceReading

/// Values that operators such as `debounce` held for a timer when they were ended from downstream.
struct HeldValues {
  /// The places of the operators' subscriptions in the histories.
  private(set) var stages: [Int] = []

  /// The maximum number of seconds between the end of a subscription and the end of its timer.
  private static let together = 0.001

  /// - Complexity: O(*n*) in the number of histories, and O(records) if a subscription has ended
  ///   that may have held a value.
  init(_ histories: Histories, _ facts: FindingFacts) {
    guard facts.hasEvents else { return }
    // Identifiers are reused, so several subscriptions may have the same one.
    var candidates: [TraceID: [Int]] = [:]
    for (place, one) in histories.all.enumerated() {
      let row = facts.site(one.site)
      guard row.traits.fate == .keepsLatest, row.traits.inputs == .source, row.timersArmed > 0,
        one.creation != 0, one.reason == .cancelled, one.arrivedSince > 0
      else { continue }
      candidates[one.key.id, default: []].append(place)
    }
    guard !candidates.isEmpty else { return }
    var owners: [TraceID: TraceID] = [:]
    var held: Set<Int> = []
    facts.records.forEach(of: RecordKinds([.timerArmed, .timerEnded])) { _, record in
      if let arming = record.timerArming {
        owners[record.entity] = candidates[arming.subscription] == nil ? nil : arming.subscription
      } else if let owner = owners.removeValue(forKey: record.entity),
        record.endReason == .cancelled
      {
        held.formUnion(
          (candidates[owner] ?? []).filter { place in
            let end = histories.all[place].endedAt ?? 0
            return facts.seconds(from: min(end, record.ticks), to: max(end, record.ticks))
              < Self.together
          }
        )
      }
    }
    stages = held.sorted()
  }
}
