import CReactiveTraceShims

/// Runs the continuation of a signal that has ended, in a loop: `concat` in `concat` in `concat`,
/// each at a point where the one before has nothing left to do, uses no more stack than one.
///
/// It is passed along as the nearest stage below, and is never a closed gate. A chain that finds a
/// loop with its own scope there is at such a point; so it passes the continuation to the loop
/// instead of running it. Unchecked as `GatedStage` is; all of these are constant or locked.
@usableFromInline
final class TailLoop: GatedStage, @unchecked Sendable {
  private struct State: Sendable {
    var waiting = Fifo<Work>()
    var isRunning = false
    /// The number of signals started in this way, each in place of the one before.
    var levels = 0
  }

  /// How many of them get their own stage in a trace, as with other nested signals (``Descent``):
  /// values pass all these stages, and their releases are nested, which uses stack.
  private static let tracedLevels = 64

  /// Identifies the scope of the loop.
  ///
  /// Not the scope itself, which refers to this as what is below it.
  private let scope: ObjectIdentifier
  private let state = Locked(State())

  @usableFromInline
  init(_ scope: Subscription, downstream: GatedStage?) {
    self.scope = ObjectIdentifier(scope)
    super.init(downstream: downstream)
  }

  @usableFromInline
  func isFor(_ other: Subscription) -> Bool { scope == ObjectIdentifier(other) }

  @usableFromInline
  override func joinsStages(of scope: Subscription) -> Bool {
    isFor(scope) && state.withLock { $0.levels > Self.tracedLevels }
  }

  /// Counts one more signal in place of the one before.
  @usableFromInline
  func descend() { state.withLock { $0.levels += 1 } }

  /// Runs `step` here, or when the step under way has returned.
  @usableFromInline
  func run(_ step: @escaping @Sendable () -> Void) {
    let isRunning = state.withLock { state in
      state.waiting.push(Work(step))
      defer { state.isRunning = true }
      return state.isRunning
    }
    if isRunning { return }
    while let step = next() { step.run() }
  }

  private func next() -> Work? {
    state.withLock { state in
      let step = state.waiting.pop()
      if step == nil { state.isRunning = false }
      return step
    }
  }
}

extension Sink {
  /// A copy of this sink for signals that follow one another: see ``attachNext(_:)``.
  @inlinable
  func chained() -> Sink {
    if let loop = downstreamGate as? TailLoop, loop.isFor(scope) { return self }
    return Sink(scope, trace, TailLoop(scope, downstream: downstreamGate), next: next)
  }

  /// Starts the signal that `make` returns into this chained sink, when the gates below are open
  /// (contract rule 10).
  ///
  /// Must be the last thing that an operator does.
  @inlinable
  func attachNext(_ make: @escaping @Sendable () -> Signal<Value, Failure>) {
    guard let loop = downstreamGate as? TailLoop else { return attachLater(make()) }
    startNext(in: loop) { make().attach($0) }
  }

  /// Does the same for anything that `start` starts.
  @inlinable
  func startNext(in loop: TailLoop, _ start: @escaping @Sendable (Sink) -> Void) {
    loop.run {
      guard scope.isActive else { return }
      guard loop.isPathOpen else { return loop.whenOpen { startNext(in: loop, start) } }
      if Tracing.isProbing { loop.descend() }
      start(self)
    }
  }
}

extension Signal {
  /// Starts this signal into `down`, and when it has completed, the signal that `make` returns.
  func attach(_ down: Sink<Value, Failure>, then make: @escaping @Sendable () -> Signal) {
    let tail = down.chained()
    let first = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end { tail.attachNext(make) } else { tail.scope.end(end) }
    }
    let sink = Sink(first, down.trace, down.downstreamGate, next: down.next)
    if Tracing.mayLeaveOutStages, let signals = inTurn {
      SequentialStage(signals, sink) { end in if case .completed = end { nil } else { end } }
        .start()
    } else {
      attach(sink)
    }
  }
}
