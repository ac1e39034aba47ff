import Synchronization

/// Lets through the first of several signals to send or end, and disposes of the others.
///
/// It needs no gate: once the winner is decided, only one signal gets through.
final class RaceStage<Value: Sendable, Failure: Error>: Sendable {
  private struct Runner: Sendable {
    let number: Int
    let scope: Scope<Failure>
  }

  private struct State: Sendable {
    var runners: [Runner] = []
    var count = 0
    /// Code that can still add a signal counts as one.
    var running = 1
    var hasLostSource = false
  }

  let down: Sink<Value, Failure>
  private let state = Locked(State())
  /// The number of the signal that gets through; 0 before that.
  private let winner = Atomic<Int>(0)

  init(_ down: Sink<Value, Failure>) { self.down = down }

  /// Whether a signal could still get through.
  var isOpen: Bool { down.scope.isActive && winner.load(ordering: .acquiring) == 0 }

  /// Subscribes to one more signal, held for the values that those before it send at once.
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

  /// Adds `scope` to those that are disposed of when another gets through.
  func join(_ scope: Scope<Failure>, _ number: Int) {
    state.withLock { $0.runners.append(Runner(number: number, scope: scope)) }
    // Another thread has decided meanwhile, and may not have seen this scope.
    if winner.load(ordering: .acquiring) != 0 { retire() }
  }

  /// Returns true for the one signal that gets through.
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

  /// Notes that a signal that could have sent, or code that could have added one, no longer can.
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
