/// The state of `buffer`, as a value: its methods return what to do next.
struct BufferState<Value: Sendable, Failure: Error>: Holding, Sendable {
  struct Action: Sendable {
    /// Whether the caller has to schedule the delivery, because none is scheduled or running.
    var mustSchedule = false
    var hasOverflowed = false
    /// Dropped values, to be released outside the lock.
    var dropped = Fifo<Postponed<Value>>()
  }

  enum Event: Sendable {
    case next(Value)
    case end(End<Failure>)
  }

  private let capacity: Int
  private let overflow: BufferOverflow<Failure>
  private var waiting = Fifo<Postponed<Value>>()
  private var ending: Postponed<End<Failure>>?
  private var isScheduled = false
  private var isOver = false

  init(_ capacity: Int, _ overflow: BufferOverflow<Failure>) {
    self.capacity = capacity
    self.overflow = overflow
  }

  /// How many values wait.
  var held: Int { waiting.count }

  /// How many events wait.
  var count: Int { waiting.count + (ending == nil ? 0 : 1) }

  mutating func receive(_ value: Postponed<Value>) -> Action {
    var action = Action()
    if isOver || ending != nil { return action }
    if waiting.count < capacity {
      waiting.push(value)
    } else {
      switch overflow {
      case .dropNewest: return action
      case .dropOldest:
        if let oldest = waiting.pop() { action.dropped.push(oldest) }
        waiting.push(value)
      case .fail(let error):
        action = end(value.replaced(by: .failed(error)))
        action.hasOverflowed = true
        return action
      }
    }
    action.mustSchedule = schedules()
    return action
  }

  /// Completion waits for its turn; a failure overtakes the waiting values and drops them.
  mutating func end(_ end: Postponed<End<Failure>>) -> Action {
    var action = Action()
    if isOver || ending != nil { return action }
    ending = end
    if case .failed = end.event {
      action.dropped = waiting
      waiting = Fifo()
    }
    action.mustSchedule = schedules()
    return action
  }

  private mutating func schedules() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  /// The next event to deliver.
  mutating func take() -> Postponed<Event>? {
    if let value = waiting.pop() { return value.replaced(by: .next(value.event)) }
    guard let end = ending, !isOver else { return nil }
    isOver = true
    return end.replaced(by: .end(end.event))
  }

  /// Call this at the end of a delivery; returns whether events are left for another delivery.
  mutating func hasMore() -> Bool {
    isScheduled = !isOver && count > 0
    return isScheduled
  }

  /// Ends the buffer without an event, and returns the waiting values.
  mutating func clear() -> Fifo<Postponed<Value>> {
    defer {
      isOver = true
      waiting = Fifo()
    }
    return waiting
  }
}
