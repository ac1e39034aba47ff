/// What `debounce` knows, as a value: its methods say what to do next.
struct DebounceState<Value: Sendable, Failure: Error>: Sendable {
  enum Action: Sendable {
    case nothing
    /// Arm the timer for this delay.
    case arm(Duration)
    case send(Value)
    case end(Value?, End<Failure>)
  }

  private let interval: Duration
  private var pending: Value?
  private var quietSince: Duration = .zero
  private var isArmed = false
  private var isOver = false

  init(_ interval: Duration) { self.interval = interval }

  /// Whether a value waits for quiet.
  var held: Int { pending == nil ? 0 : 1 }

  mutating func receive(_ value: Value, at now: Duration) -> Action {
    if isOver { return .nothing }
    pending = value
    quietSince = now
    if isArmed { return .nothing }
    isArmed = true
    return .arm(interval)
  }

  /// The timer has fired.
  ///
  /// It is armed once for many values: where one came meanwhile, the rest of its quiet time is
  /// still to be waited for.
  mutating func fire(at now: Duration) -> Action {
    isArmed = false
    guard let value = pending else { return .nothing }
    let left = quietSince + interval - now
    if left > .zero {
      isArmed = true
      return .arm(left)
    }
    pending = nil
    return .send(value)
  }

  /// Completion sends what waits; a failure overtakes and drops it.
  mutating func end(_ end: End<Failure>) -> Action {
    if isOver { return .nothing }
    isOver = true
    defer { pending = nil }
    if case .failed = end { return .end(nil, end) }
    return .end(pending, end)
  }

  mutating func clear() {
    isOver = true
    pending = nil
  }
}
