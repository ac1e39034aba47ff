import TraceModel
import TraceReading

/// What is known of subscriptions from some record on: which one an identifier means, where it stands and what is
/// below it.
struct TracedLives {
  struct Life {
    var key: EntityKey
    var site: UInt32
    var link: TraceID
    var signal: UInt32
    var chain: UInt32
  }

  private(set) var lives: [TraceID: Life] = [:]

  /// - Parameters:
  ///   - facts: The trace.
  ///   - place: How many records count; what is alive at the end if it is nil.
  init(_ facts: FindingFacts, upTo place: Int? = nil) {
    let now = place.flatMap {
      facts.records.indices.contains($0) ? facts.records[$0].ticks : nil
    }
    // What the records before do not tell of is told by a status, or it was there all the time.
    for slot in facts.slots where slot.kind == .subscription {
      guard place == nil || now.map({ slot.createdAt <= $0 }) ?? false else { continue }
      lives[slot.id] = Life(
        key: slot.key,
        site: slot.site,
        link: slot.link,
        signal: slot.signal,
        chain: slot.chain
      )
    }
    guard let place else { return }
    for record in facts.records.prefix(place + 1) { take(record) }
    // A later status tells of what was there already, and of what it was.
    guard let now else { return }
    var born: Set<TraceID> = []
    for record in facts.records.dropFirst(place + 1) {
      if record.kind == .subscribed {
        born.insert(record.entity)
      } else if let status = record.status, status.kind == .subscription, status.createdAt <= now,
        lives[record.entity] == nil, !born.contains(record.entity)
      {
        take(record)
      }
    }
  }

  mutating func take(_ record: TraceRecord) {
    if let birth = record.subscribing {
      lives[record.entity] = Life(
        key: EntityKey(id: record.entity, serial: birth.serial),
        site: birth.site,
        link: birth.downstream,
        signal: birth.signal.rawValue,
        chain: birth.chain
      )
    } else if let status = record.status, status.kind == .subscription {
      let known = lives[record.entity].flatMap { $0.key.serial == status.serial ? $0 : nil }
      lives[record.entity] = Life(
        key: EntityKey(id: record.entity, serial: status.serial),
        site: status.site,
        link: status.link,
        signal: status.signal.rawValue,
        chain: known?.chain ?? 0
      )
    }
  }

  subscript(_ id: TraceID) -> Life? { lives[id] }
}
