import ReactiveTrace

/// The state of `buffer`, as a value: its methods return what to do next.
struct BufferState<Value: Sendable, Failure: Error>: Sendable {
  struct Action: Sendable {
    /// Whether nothing is scheduled that would deliver the waiting values.
    var mustSchedule = false
    var hasOverflowed = false
    /// Dropped values, to be released outside the lock.
    var dropped = Fifo<Waiting>()
  }

  /// A waiting value, and its origin.
  struct Waiting: Sendable {
    let value: Value
    let origin: TraceOrigin
  }

  enum Event: Sendable {
    case next(Value)
    case end(End<Failure>)
  }

  private let capacity: Int
  private let overflow: BufferOverflow<Failure>
  private var waiting = Fifo<Waiting>()
  private var ending: End<Failure>?
  private var endOrigin = TraceOrigin()
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

  mutating func receive(_ value: Value, from origin: TraceOrigin) -> Action {
    let value = Waiting(value: value, origin: origin)
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
        action = end(.failed(error), from: origin)
        action.hasOverflowed = true
        return action
      }
    }
    action.mustSchedule = schedules()
    return action
  }

  /// Completion waits its turn; a failure overtakes and drops the waiting values.
  mutating func end(_ end: End<Failure>, from origin: TraceOrigin) -> Action {
    var action = Action()
    if isOver || ending != nil { return action }
    ending = end
    endOrigin = origin
    if case .failed = end {
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

  /// The next event to deliver, and its origin.
  mutating func take() -> (event: Event, origin: TraceOrigin)? {
    if let waiting = waiting.pop() { return (.next(waiting.value), waiting.origin) }
    guard let end = ending, !isOver else { return nil }
    isOver = true
    return (.end(end), endOrigin)
  }

  /// To be called at the end of a delivery: returns whether there has to be another.
  mutating func hasMore() -> Bool {
    isScheduled = !isOver && count > 0
    return isScheduled
  }

  /// Ends it without an event, and returns the waiting values.
  mutating func clear() -> Fifo<Waiting> {
    defer {
      isOver = true
      waiting = Fifo()
    }
    return waiting
  }
}
