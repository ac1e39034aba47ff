import CReactiveTraceShims

/// A loop that starts signals that follow one another in the same scope, which is the object that
/// ends a subscription.
///
/// With the loop, any number of such signals uses no more stack than one.
///
/// When the last signal of a `concat` starts, the `concat` only has to forward that signal's
/// events. The last signal may again be a `concat`, and so on. Such starts are like tail calls: the
/// loop makes them one after another instead of nesting them.
///
/// Operators find the loop as the nearest gate downstream. That gate of the loop is never entered,
/// so it is always open, and no event waits in it. If an operator finds a loop that belongs to the
/// operator's own scope, the operator is itself such a last signal, and uses that loop instead of
/// creating another.
///
/// This class is `@unchecked Sendable` because its superclass `GatedStage` is; its own properties
/// are constant or locked.
@usableFromInline
final class TailLoop: GatedStage, @unchecked Sendable {
  private struct State: Sendable {
    var waiting = Fifo<Work>()
    var isRunning = false
    /// The number of signals that the loop has started while signals are traced or logged.
    var levels = 0
  }

  /// How many of the loop's signals a trace shows as separate stages, which are the steps of a
  /// chain of operators.
  ///
  /// The number is limited, because each value passes all these stages, and because releasing them
  /// is recursive and uses stack.
  private static let tracedLevels = 64

  /// The identity of the scope that the loop belongs to.
  ///
  /// The loop must not retain the scope, because the scope retains the loop.
  private let scope: ObjectIdentifier
  private let state = Locked(State())

  @usableFromInline
  init(_ scope: Subscription, downstream: GatedStage?) {
    self.scope = ObjectIdentifier(scope)
    super.init(downstream: downstream)
    scope.hasLoop = true
  }

  @usableFromInline
  func isFor(_ other: Subscription) -> Bool { scope == ObjectIdentifier(other) }

  @usableFromInline
  override func joinsStages(of scope: Subscription) -> Bool {
    isFor(scope) && state.withLock { $0.levels > Self.tracedLevels }
  }

  /// Counts one more signal that the loop starts.
  @usableFromInline
  func descend() { state.withLock { $0.levels += 1 } }

  /// Runs `step` now or, if another step is running, after that step.
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
  /// Returns a sink like this one for signals that follow one another, with a ``TailLoop`` as the
  /// nearest gate downstream; see ``attachNext(_:)``.
  @inlinable
  func chained() -> Sink {
    if let loop = downstreamGate as? TailLoop, loop.isFor(scope) { return self }
    return Sink(scope, trace, TailLoop(scope, downstream: downstreamGate), next: next)
  }

  /// Subscribes this sink to the signal that `make` returns, when the gates downstream are open
  /// (event contract, rule 10).
  ///
  /// Called on a sink that ``chained()`` has returned, as the last step of an operator.
  @inlinable
  func attachNext(_ make: @escaping @Sendable () -> Signal<Value, Failure>) {
    guard let loop = downstreamGate as? TailLoop else { return attachLater(make()) }
    startNext(in: loop) { make().attach($0) }
  }

  /// Calls `start`, which subscribes this sink to the next signal, when the gates downstream are
  /// open.
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
  /// Subscribes `down` to this signal and, once this signal has completed, to the signal that
  /// `make` returns.
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
