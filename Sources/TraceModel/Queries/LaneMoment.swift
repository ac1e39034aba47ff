package import TraceReading

/// An event in a lane of a marble diagram, for writing the lane as a marble string.
public struct LaneMoment: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    case subscribed
    /// A value, with its description if one was recorded, or the firing of a timer.
    case value(String?)
    case failed(String)
    case completed
    /// The subscription ended without an event, or the timer ended.
    case disposed
  }

  /// What happened.
  public var kind: Kind
  /// The time since the recording began.
  public var time: Duration

  /// The events of each lane of a query, in chronological order.
  package static func lanes(_ query: MarbleQuery, _ snapshot: TraceSnapshot) -> [[LaneMoment]] {
    let walk = RecordWalk(snapshot)
    let rows = walk.rows(from: query.from, to: query.from + query.span)
    let store = EntityStore(snapshot, in: rows)
    var lanes = [[LaneMoment]](repeating: [], count: query.lanes.count)
    walk.forEach(in: rows) { row, record in
      guard let entry = store.life(record.entity, at: row),
        entry.kind == .subscription || entry.kind == .timer, let kind = kind(record, snapshot)
      else { return }
      for (place, lane) in query.lanes.enumerated() {
        switch lane {
        case .site(let site):
          guard entry.site == site, entry.kind == .subscription else { continue }
        case .subscription(let key), .timer(let key): guard entry.key == key else { continue }
        }
        // A `value` record is the description of the value that was recorded before it.
        if record.kind == .value {
          guard let last = lanes[place].indices.last, lanes[place][last].kind == .value(nil) else {
            continue
          }
          lanes[place][last].kind = kind
        } else {
          lanes[place].append(LaneMoment(kind: kind, time: walk.time(record.ticks)))
        }
      }
    }
    return lanes
  }

  private static func kind(_ record: TraceRecord, _ snapshot: TraceSnapshot) -> Kind? {
    switch record.event {
    case .subscribed, .timerArmed: .subscribed
    case .next, .timerFired: .value(nil)
    case .value: .value(record.valueText?.text)
    case .failed(let error): .failed(snapshot.failureName(error))
    case .completed: .completed
    case .ended(.completed), .ended(.failed): nil
    case .ended, .timerEnded: .disposed
    default: nil
    }
  }
}
