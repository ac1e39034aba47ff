/// Operators with timers. A failure overtakes the values they hold (contract rule 4).
extension UnaryModel {
  func timed(_ events: [Stamped], _ start: Int) throws -> [Stamped] {
    switch self {
    case .delay(let span): try delayed(events, span)
    case .debounce(let span):
      try held(events) {
        $0 + span
      } isRenewed: {
        true
      }
    case .audit(let span):
      try held(events) {
        $0 + span
      } isRenewed: {
        false
      }
    case .throttle(let span, let latest): try throttled(events, span, latest)
    case .timeoutAfter(let span): try limited(events, start + span, nil)
    case .timeoutEach(let span): try limited(events, start + span, span)
    case .takeFor(let span): try cut(events, start + span)
    case .skipFor(let span): try later(events, start + span)
    default: events
    }
  }

  private func delayed(_ events: [Stamped], _ span: Int) throws -> [Stamped] {
    let failure = events.last.flatMap { if case .failed = $0.event { $0 } else { nil } }
    let late = events.map { Stamped(time: $0.time + span, event: $0.event) }
    guard let failure else { return late }
    if late.contains(where: { $0.time == failure.time }) { throw Ambiguous() }
    return late.filter { $0.time < failure.time } + [failure]
  }

  /// Sends the latest value when it is due; if `isRenewed()`, a later value restarts the timer.
  private func held(
    _ events: [Stamped],
    due: (Int) -> Int,
    isRenewed: () -> Bool
  ) throws -> [Stamped] {
    var output = Output()
    var held: (value: Int, due: Int)?
    for one in events {
      if let (value, due) = held {
        if due == one.time { throw Ambiguous() }
        if due < one.time {
          output.send(value, at: due)
          held = nil
        }
      }
      switch one.event {
      case .next(let value):
        held = (value, isRenewed() ? due(one.time) : held?.due ?? due(one.time))
      case .completed:
        if let held { output.send(held.value, at: one.time) }
        output.complete(at: one.time)
      case .failed: output.send(one.event, at: one.time)
      }
    }
    if let held, !output.isOver { output.send(held.value, at: held.due) }
    return output.events
  }

  private func throttled(_ events: [Stamped], _ span: Int, _ latest: Bool) throws -> [Stamped] {
    var output = Output()
    var closed: Int?
    var held: Int?
    /// Sends a held value at the end of its interval, which begins another interval.
    func advance(to time: Int) throws {
      while let end = closed {
        if end == time { throw Ambiguous() }
        if end > time { return }
        if let value = held {
          output.send(value, at: end)
          closed = end + span
        } else {
          closed = nil
        }
        held = nil
      }
    }
    for one in events {
      try advance(to: one.time)
      switch one.event {
      case .next(let value):
        if closed != nil {
          if latest { held = value }
        } else {
          output.send(value, at: one.time)
          closed = one.time + span
        }
      case .completed:
        if let held { output.send(held, at: one.time) }
        output.complete(at: one.time)
      case .failed: output.send(one.event, at: one.time)
      }
    }
    if let held, let closed, !output.isOver { output.send(held, at: closed) }
    return output.events
  }

  /// Fails at `limit`; each value postpones the limit to `span` after itself, unless `span` is nil.
  private func limited(_ events: [Stamped], _ limit: Int, _ span: Int?) throws -> [Stamped] {
    var output = Output()
    var limit = limit
    for one in events where !output.isOver {
      if one.time == limit { throw Ambiguous() }
      if one.time > limit { output.send(.failed(.timedOut), at: limit) }
      output.send(one.event, at: one.time)
      if let span { limit = one.time + span }
    }
    output.send(.failed(.timedOut), at: limit)
    return output.events
  }

  private func cut(_ events: [Stamped], _ limit: Int) throws -> [Stamped] {
    if events.contains(where: { $0.time == limit }) { throw Ambiguous() }
    var output = Output()
    for one in events where one.time < limit { output.send(one.event, at: one.time) }
    output.complete(at: limit)
    return output.events
  }

  private func later(_ events: [Stamped], _ limit: Int) throws -> [Stamped] {
    if events.contains(where: { $0.time == limit }) { throw Ambiguous() }
    return events.filter { $0.time > limit || $0.event.isEnd }
  }
}
