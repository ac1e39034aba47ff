/// Buffered values on their way from a signal to a task, and the waiting task if there are none.
final class ValuesQueue<Value: Sendable, Failure: Error>: Sendable {
  /// What the task gets: a value, nil at the end, or a failure.
  typealias Taken = Result<Value?, Failure>
  typealias Waiting = CheckedContinuation<Taken, Never>

  private struct State: Sendable {
    var values = Fifo<Value>()
    var waiting = Fifo<Waiting>()
    /// How the signal ended; the failure is taken once.
    var end: End<Failure>?

    mutating func takeEnd() -> Taken? {
      guard let end else { return nil }
      if case .failed(let error) = end {
        self.end = .completed
        return .failure(error)
      }
      return .success(nil)
    }
  }

  private let buffering: ValuesBuffering
  private let state = Locked(State())

  init(_ buffering: ValuesBuffering) { self.buffering = buffering }

  /// Gives a value to the waiting task, or buffers it; returns how many are buffered.
  func receive(_ value: Value) -> Int {
    // A dropped value is released when this returns, not under the lock.
    let (waiting, held, former) = state.withLock { state -> (Waiting?, Int, Value?) in
      if state.end != nil { return (nil, 0, nil) }
      if let waiting = state.waiting.pop() { return (waiting, 0, nil) }
      var former: Value?
      switch buffering {
      case .unbounded: state.values.push(value)
      case .newest(let limit):
        if limit == 0 { break }
        if state.values.count >= limit { former = state.values.pop() }
        state.values.push(value)
      case .oldest(let limit):
        if state.values.count < limit { state.values.push(value) }
      }
      return (nil, state.values.count, former)
    }
    withExtendedLifetime(former) {}
    waiting?.resume(returning: .success(value))
    return held
  }

  /// The signal has ended: a waiting task is resumed, others get the end after the buffered values.
  func end(_ end: End<Failure>) {
    let resumed = state.withLock { state -> [(Waiting, Taken)] in
      if state.end != nil { return [] }
      state.end = end
      var resumed: [(Waiting, Taken)] = []
      while let waiting = state.waiting.pop() {
        if let taken = state.takeEnd() { resumed.append((waiting, taken)) }
      }
      return resumed
    }
    for (waiting, taken) in resumed { waiting.resume(returning: taken) }
  }

  /// Drops the buffered values and a failure behind them.
  func abandon() {
    let dropped = state.withLock { state in
      defer {
        state.values = Fifo()
        if state.end != nil { state.end = .sourceGone }
      }
      return state.values
    }
    withExtendedLifetime(dropped) {}
    end(.sourceGone)
  }

  /// Resumes a task with the next value, now or when it comes; returns how many values are left in
  /// the buffer, or nil if it was empty.
  func resume(_ waiting: Waiting) -> Int? {
    let (taken, held) = state.withLock { state -> (Taken?, Int?) in
      if let value = state.values.pop() { return (.success(value), state.values.count) }
      if let taken = state.takeEnd() { return (taken, nil) }
      state.waiting.push(waiting)
      return (nil, nil)
    }
    if let taken { waiting.resume(returning: taken) }
    return held
  }
}
