/// The values that a signal has sent and a task has not yet taken, and the tasks that wait for a
/// value.
final class ValuesQueue<Value: Sendable, Failure: Error>: Sendable {
  /// What the task gets: a value, nil at the end, or a failure.
  typealias Outcome = Result<Value?, Failure>
  typealias Waiting = CheckedContinuation<Outcome, Never>

  private struct State: Sendable {
    var values = Fifo<Value>()
    var waiting = Fifo<Waiting>()
    /// How the signal ended.
    ///
    /// A failure is given to one task only; tasks that ask for a value later get nil.
    var end: End<Failure>?

    mutating func takeEnd() -> Outcome? {
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

  /// Gives a value to the waiting task, or buffers it; returns how many values are buffered.
  func receive(_ value: Value) -> Int {
    // A dropped value is released when this method returns, not under the lock.
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

  /// Ends the sequence, and resumes the waiting tasks; tasks that wait later get the end after the
  /// buffered values.
  func end(_ end: End<Failure>) {
    let resumed = state.withLock { state -> [(Waiting, Outcome)] in
      if state.end != nil { return [] }
      state.end = end
      var resumed: [(Waiting, Outcome)] = []
      while let waiting = state.waiting.pop() {
        if let outcome = state.takeEnd() { resumed.append((waiting, outcome)) }
      }
      return resumed
    }
    for (waiting, outcome) in resumed { waiting.resume(returning: outcome) }
  }

  /// Ends the sequence, and drops the buffered values and a failure that would follow them.
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

  /// Resumes a task with the next value, as soon as there is one; returns how many values are left
  /// in the buffer, or nil if the buffer was empty.
  func resume(_ waiting: Waiting) -> Int? {
    let (outcome, held) = state.withLock { state -> (Outcome?, Int?) in
      if let value = state.values.pop() { return (.success(value), state.values.count) }
      if let outcome = state.takeEnd() { return (outcome, nil) }
      state.waiting.push(waiting)
      return (nil, nil)
    }
    if let outcome { waiting.resume(returning: outcome) }
    return held
  }
}
