/// The state of `delay`, as a value: its methods return what to do next.
struct DelayState<Value: Sendable, Failure: Error>: Holding, Sendable {
  enum Event: Sendable {
    case next(Value)
    case end(End<Failure>)
  }

  private struct Due: Sendable {
    let time: Duration
    let event: Postponed<Event>
  }

  private var waiting = Fifo<Due>()
  private var next: Due?
  private var isArmed = false
  private var isOver = false

  /// How many events wait.
  var held: Int { waiting.count + (next == nil ? 0 : 1) }

  /// Adds an event that is due at a given time; returns the time for which to arm the timer, if the
  /// timer is not armed.
  mutating func hold(_ event: Postponed<Event>, until time: Duration) -> Duration? {
    if isOver { return nil }
    let due = Due(time: time, event: event)
    if next == nil { next = due } else { waiting.push(due) }
    if isArmed { return nil }
    isArmed = true
    return time
  }

  /// Removes and returns the first event, if that event is due.
  ///
  /// Otherwise returns the time for which to arm the timer, if any event waits.
  mutating func take(at now: Duration) -> (event: Postponed<Event>?, nextDue: Duration?) {
    guard let due = next, !isOver else {
      isArmed = false
      return (nil, nil)
    }
    if due.time > now { return (nil, due.time) }
    next = waiting.pop()
    return (due.event, nil)
  }

  /// Returns the time for which to arm the timer, if any event waits.
  mutating func pause() -> Duration? {
    if next == nil || isOver { isArmed = false }
    return isArmed ? next?.time : nil
  }

  /// Ends the delay and drops the waiting events; returns the previous state, so that the caller
  /// can release it outside the lock.
  mutating func clear() -> DelayState {
    defer {
      isOver = true
      next = nil
      waiting = Fifo()
    }
    return self
  }
}
