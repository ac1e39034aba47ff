import CReactiveTraceShims
import ReactiveTrace

/// Runs what follows when a signal has ended, in a loop: `concat` in `concat` in `concat`, each in the
/// place where the one before has nothing left to do, takes no more stack than one.
///
/// It travels as the nearest stage below, and is never a closed gate. A chain that finds one with its own
/// scope there is in that place; so it hands on what follows instead of running it. Unchecked for what
/// `GatedStage` says; all of these are constant or locked.
final class TailLoop: GatedStage, @unchecked Sendable {
  private struct State: Sendable {
    var waiting = Fifo<@Sendable () -> Void>()
    var isRunning = false
    /// How many have been started so, each in the place of the one before.
    var levels = 0
  }

  /// So many are stages of their own in a trace, as of what nests otherwise (``Descent``): values pass all of them, and they are let go from
  /// inside each other, which takes stack.
  private static let tracedLevels = 64

  /// Which scope it is for.
  ///
  /// Not the scope itself, which refers to this as what is below it.
  private let scope: ObjectIdentifier
  private let state = Locked(State())

  init(_ scope: Subscription, above below: GatedStage?) {
    self.scope = ObjectIdentifier(scope)
    super.init(above: below)
  }

  func isFor(_ other: Subscription) -> Bool { scope == ObjectIdentifier(other) }

  override func joinsStages(of scope: Subscription) -> Bool {
    isFor(scope) && state.withLock { $0.levels > Self.tracedLevels }
  }

  /// One more is started in the place of the one before.
  func descend() { state.withLock { $0.levels += 1 } }

  /// Runs `step` here, or when the step under way has returned.
  func run(_ step: @escaping @Sendable () -> Void) {
    let isRunning = state.withLock { state in
      state.waiting.push(step)
      defer { state.isRunning = true }
      return state.isRunning
    }
    if isRunning { return }
    while let step = next() { step() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let step = state.waiting.pop()
      if step == nil { state.isRunning = false }
      return step
    }
  }
}

extension Sink {
  /// The same sink for one signal after another: see ``attachNext(_:)``.
  func chained() -> Sink {
    if let loop = below as? TailLoop, loop.isFor(scope) { return self }
    return Sink(scope, trace, TailLoop(scope, above: below), next: next)
  }

  /// Starts what `make` returns into this chained sink, when the way down is open (contract rule 10).
  ///
  /// For the last thing that an operator does.
  func attachNext(_ make: @escaping @Sendable () -> Signal<Value, Failure>) {
    guard let loop = below as? TailLoop else { return attachLater(make()) }
    startNext(in: loop) { make().attach($0) }
  }

  /// The same for whatever `start` starts.
  func startNext(in loop: TailLoop, _ start: @escaping @Sendable (Sink) -> Void) {
    loop.run {
      guard scope.isActive else { return }
      guard loop.isPathOpen else { return loop.whenOpen { startNext(in: loop, start) } }
      if Tracer.isProbing { loop.descend() }
      start(self)
    }
  }
}

extension Signal {
  /// Starts this signal into `down`, and when it has completed, what `make` returns.
  func attach(_ down: Sink<Value, Failure>, then make: @escaping @Sendable () -> Signal) {
    let tail = down.chained()
    let first = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end { tail.attachNext(make) } else { tail.scope.end(end) }
    }
    let sink = Sink(first, down.trace, down.below, next: down.next)
    if !Tracer.isProbing || rxt_releases_deep(), let signals = inTurn {
      SequentialStage(signals, sink) { end in if case .completed = end { nil } else { end } }
        .start()
    } else {
      attach(sink)
    }
  }
}
