import Synchronization

/// Forwards the *winner* of several signals, which is the first signal to send an event, and
/// cancels the others.
///
/// No gate has to put the events of several signals in order, because only those of the winner are
/// forwarded.
final class RaceStage<Value: Sendable, Failure: Error>: Sendable {
  private struct Runner: Sendable {
    let number: Int
    let scope: Scope<Failure>
  }

  private struct State: Sendable {
    var runners: [Runner] = []
    var count = 0
    /// The number of signals that may still send, plus one while signals may still be added.
    var running = 1
    var hasLostSource = false
  }

  let down: Sink<Value, Failure>
  private let state = Locked(State())
  /// The number of the winner; 0 until there is one.
  private let winner = Atomic<Int>(0)

  init(_ down: Sink<Value, Failure>) { self.down = down }

  /// Whether there is no winner yet, and the subscription has not ended.
  var isOpen: Bool { down.scope.isActive && winner.load(ordering: .acquiring) == 0 }

  /// Subscribes to one more signal.
  ///
  /// If `kept` is not nil, the events of the signal wait until all values that earlier signals send
  /// on subscription have arrived.
  func add(_ signal: Signal<Value, Failure>, after kept: Arrival? = nil) {
    guard isOpen else { return }
    let number = state.withLock { state in
      state.count += 1
      state.running += 1
      return state.count
    }
    let scope = UpstreamScope<Failure>(in: down.scope) { [self] in ended($0, number) }
    join(scope, number)
    let sink = Sink(scope, down.trace, down.downstreamGate) { [self, next = down.next] value in
      if wins(number) { next(value) }
    }
    if let kept {
      sink.held(for: kept) { $0.attachLater(signal) }
    } else {
      sink.attachLater(signal)
    }
  }

  /// Adds the scope (the object that ends a subscription) of the signal with this number; when
  /// another signal wins, the scope is cancelled.
  func join(_ scope: Scope<Failure>, _ number: Int) {
    state.withLock { $0.runners.append(Runner(number: number, scope: scope)) }
    // Another thread may have set the winner in the meantime, without seeing this scope.
    if winner.load(ordering: .acquiring) != 0 { retire() }
  }

  /// Returns whether the signal with this number is the winner; makes it the winner if there was
  /// none.
  func wins(_ number: Int) -> Bool {
    let known = winner.load(ordering: .relaxed)
    if known != 0 { return known == number }
    let (isFirst, _) = winner.compareExchange(
      expected: 0,
      desired: number,
      ordering: .acquiringAndReleasing
    )
    if isFirst { retire() }
    return isFirst
  }

  private func retire() {
    let winner = winner.load(ordering: .acquiring)
    let runners = state.withLock { state in
      defer { state.runners = [] }
      return state.runners
    }
    for runner in runners where runner.number != winner {
      runner.scope.finish(.completed, upstream: .cancelled)
    }
  }

  func ended(_ end: End<Failure>, _ number: Int) {
    if case .sourceGone = end {
      if winner.load(ordering: .acquiring) == number { return down.scope.end(end) }
      return left(isLost: true)
    }
    if wins(number) { down.scope.end(end) }
  }

  /// Notes that a signal can no longer send, or that no more signals will be added; ends the result
  /// if nothing can send any more.
  ///
  /// `isLost` says whether a signal has ended without an event.
  func left(isLost: Bool) {
    let end: End<Failure>? = state.withLock { state in
      if isLost { state.hasLostSource = true }
      state.running -= 1
      if state.running > 0 { return nil }
      return state.hasLostSource ? .sourceGone : .completed
    }
    if let end, winner.load(ordering: .acquiring) == 0 { down.scope.end(end) }
  }
}
