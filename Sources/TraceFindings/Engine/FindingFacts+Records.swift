import TraceReading

extension TraceSite {
  /// The number of subscriptions that ended for a reason; 0 for a reason that the trace does not
  /// count.
  func ended(_ reason: EndReason) -> UInt64 {
    let place = Int(reason.rawValue)
    return ended.indices.contains(place) ? ended[place] : 0
  }
}

/// Searches of the records, shared by several rules.
extension FindingFacts {
  /// Whether the records since an instant are complete.
  func isExact(since ticks: UInt64) -> Bool {
    loss == nil && (exactFrom.map { $0 <= ticks } ?? false)
  }

  /// The records of the wanted kinds about the entities in the given slots of the table of live
  /// entities, in order, since the creation of each entity.
  func records(
    about slots: some Sequence<TraceSlot>,
    where isWanted: (RecordKind) -> Bool
  ) -> [TraceID: [TraceRecord]] {
    let createdAt = Dictionary(slots.map { ($0.id, $0.createdAt) }, uniquingKeysWith: max)
    guard !createdAt.isEmpty else { return [:] }
    var found: [TraceID: [TraceRecord]] = [:]
    for record in records where isWanted(record.kind) {
      guard let creation = createdAt[record.entity], record.ticks >= creation else { continue }
      found[record.entity, default: []].append(record)
    }
    return found
  }

  /// The numbers of the records that show the creation of the subscriptions in the given slots, in
  /// order.
  func creations(of slots: [TraceSlot]) -> [UInt64] {
    let serials = Dictionary(slots.map { ($0.id, $0.serial) }, uniquingKeysWith: max)
    guard !serials.isEmpty else { return [] }
    var numbers: [UInt64] = []
    for record in records where record.kind == .subscribed {
      if serials[record.entity] == record.more.1 { numbers.append(record.number) }
    }
    return numbers
  }

  /// The event counts of subscriptions at the given instants, with the record that shows each
  /// count.
  ///
  /// - Parameters:
  ///   - slots: Live subscriptions.
  ///   - instants: The instants in ascending order.
  /// - Returns: A count for each instant; nil if no record shows it.
  func counts(
    of slots: [TraceSlot],
    at instants: [UInt64]
  ) -> [TraceID: [(count: UInt64, number: UInt64)?]] {
    var found: [TraceID: [(count: UInt64, number: UInt64)?]] = [:]
    var createdAt: [TraceID: UInt64] = [:]
    for slot in slots {
      found[slot.id] = [(count: UInt64, number: UInt64)?](repeating: nil, count: instants.count)
      createdAt[slot.id] = slot.createdAt
      // If no record is missing, a subscription had no events before the first recorded one.
      if isExact(since: slot.createdAt), hasEvents {
        found[slot.id] = instants.map { _ in (0, 0) }
      }
    }
    guard !found.isEmpty else { return [:] }
    for record in records where record.kind == .next {
      guard let creation = createdAt[record.entity], record.ticks >= creation else { continue }
      for place in instants.indices where record.ticks <= instants[place] {
        found[record.entity]?[place] = (UInt64(record.argument), record.number)
      }
    }
    return found
  }

  /// The average number of seconds between two events of a subscription; nil if it had too few
  /// events.
  func usualGap(_ slot: TraceSlot, atLeast minimum: UInt64 = 5) -> Double? {
    guard slot.eventCount >= minimum else { return nil }
    return seconds(from: slot.createdAt, to: slot.lastEventAt) / Double(slot.eventCount)
  }

  /// Whether something has existed for so long that it is not about to end: for more than five
  /// seconds, or for at least half a second and half of the recording.
  func isSettled(_ ticks: UInt64) -> Bool {
    let age = age(ticks)
    return age > 5 || age >= 0.5 && age * 2 >= seconds(from: start, to: now)
  }
}
