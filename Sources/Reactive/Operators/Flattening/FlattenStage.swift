import Synchronization

/// Runs a limited number of inner signals at a time; the others wait.
final class FlattenStage<Value: Sendable, Failure: Error>: Sendable {
  private enum Inner: Sendable {
    case signal(Signal<Value, Failure>)
    case infallible(Signal<Value, Never>)
  }

  private struct State: Holding, Sendable {
    var waiting = Fifo<Inner>()
    var active = 0
    var held: Int { waiting.count }
  }

  let merging: Merging<Value, Failure>
  private let limit: Int
  private let state: HeldLocked<State>

  init(_ down: Sink<Value, Failure>, limit: Int) {
    merging = Merging(down)
    self.limit = limit
    state = HeldLocked(State(), for: down.trace)
    // Waiting signals are released when the subscription ends.
    merging.scope.own(ActionTeardown { [weak self] in self?.release() })
  }

  /// Releases the waiting signals outside the lock, because releasing them may run code of the
  /// program.
  private func release() {
    let waiting = state.takeLast { state in
      defer { state.waiting = Fifo() }
      return state.waiting
    }
    withExtendedLifetime(waiting) {}
  }

  func receive(_ inner: Signal<Value, Failure>) { receive(.signal(inner)) }

  func receive(infallible inner: Signal<Value, Never>) { receive(.infallible(inner)) }

  private func receive(_ inner: Inner) {
    merging.join()
    let isNow = state.change { state in
      let isNow = state.active < limit
      if isNow { state.active += 1 } else { state.waiting.push(inner) }
      return isNow
    }
    if isNow { open(inner) }
  }

  /// Runs a signal that is already counted as active: now or, if a value is being delivered, after
  /// that delivery (event contract, rule 10).
  private func open(_ inner: Inner) {
    if merging.outlet.isPathOpen {
      run(inner)
    } else {
      merging.outlet.whenOpen { self.run(inner) }
    }
  }

  /// Runs a signal and, if it ends before its start returns, runs the next waiting signal in a
  /// loop, so that a million signals that end at once use no more stack than one.
  private func run(_ first: Inner) {
    var next: Inner? = first
    while let inner = next, merging.scope.isActive {
      next = nil
      let start = StartGuard()
      let part = UpstreamScope<Failure>(in: merging.scope) { end in
        if case .failed = end { return self.merging.ended(end) }
        if !start.end(), let inner = self.takeNext() { self.open(inner) }
        self.merging.ended(end)
      }
      switch inner {
      case .signal(let signal):
        if !merging.descend(signal, in: part) { merging.attach(signal, part) }
      case .infallible(let signal): merging.attach(infallible: signal, part)
      }
      guard start.hasEnded(), let follower = takeNext() else { return }
      if !merging.outlet.isPathOpen { return open(follower) }
      next = follower
    }
  }

  private func takeNext() -> Inner? {
    state.change { state in
      let next = state.waiting.pop()
      if next == nil { state.active -= 1 }
      return next
    }
  }
}

/// Detects whether something ended while it was being started, so that a loop can continue where a
/// recursion would grow the stack.
struct StartGuard: Sendable {
  private final class Phase: Sendable {
    let value = Atomic<UInt8>(0)  // 0: starting; 1: started; 2: ended while starting
  }

  private let phase = Phase()

  /// Records the end; returns true if the start has not returned yet.
  ///
  /// In that case the code that called the start continues; otherwise the caller of this method has
  /// to continue.
  func end() -> Bool {
    phase.value.compareExchange(expected: 0, desired: 2, ordering: .acquiringAndReleasing).exchanged
  }

  /// Records that the start has returned; returns true if the end came first, so that the caller
  /// has to continue.
  func hasEnded() -> Bool {
    !phase.value.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing)
      .exchanged
  }
}
