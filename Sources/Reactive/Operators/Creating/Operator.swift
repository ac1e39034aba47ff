import TraceFormat

extension Signal {
  /// A signal for an operator that another package defines, with its own name and traits.
  ///
  /// Traces show the site: the operator's name, the line of its call, and its traits. The traits
  /// tell rxtop, the inspector of traces, what happens to a value, what the inputs are, and whether
  /// the operator keeps, shares or queues values, so that rxtop can explain the operator like the
  /// operators of this package.
  ///
  /// ```swift
  /// extension Signal where Value == Int, Failure == Never {
  ///   /// Sends the sum so far with each value.
  ///   func sums(from site: Site) -> Signal<Int, Never> {
  ///     .operator(site, inputs: self, state: 0) { stage in
  ///       stage.subscribe(to: self) { turn, value in
  ///         turn.state += value
  ///         turn.send(turn.state)
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The handlers of one subscription run one after the other (event contract, rule 3), and none
  /// runs after the subscription has ended. A failure of an input that has no failure handler fails
  /// the result at once. When all inputs have ended, the result ends too, unless handlers have
  /// received all these ends. In that case one of the handlers has to end the result.
  ///
  /// - Parameters:
  ///   - site: The operator's name, call site and traits. One of the traits `partners`, `triggers`
  ///     and `sampled` can state the roles of the inputs; without any of them, the first input is
  ///     the source.
  ///   - inputs: The signals that the operator is applied to, in this order.
  ///   - state: The state that the handlers share; evaluated once per subscription.
  ///   - start: Runs once per subscription, and subscribes to the inputs.
  /// - Returns: A signal; nothing runs before it is subscribed to.
  public static func `operator`<State, each Input: Sendable, each InputFailure: Error>(
    _ site: Site,
    inputs: repeat Signal<each Input, each InputFailure>,
    state: @autoclosure @escaping @Sendable () -> State,
    start: @escaping @Sendable (_ stage: OperatorStage<State, Value, Failure>) -> Void
  ) -> Signal {
    var upstreams: [any AnySignal] = []
    for input in repeat each inputs { upstreams.append(input) }
    return Signal(site, .many(upstreams), argument: .none) { down in
      let core = OperatorCore(down, state())
      start(OperatorStage(core: core))
      core.enter { _ in core.hasStarted() }
    }
  }
}

/// One subscription to an operator that a package defines; see
/// ``Signal/operator(_:inputs:state:start:)``.
public struct OperatorStage<State, Value: Sendable, Failure: Error>: Sendable {
  let core: OperatorCore<State, Value, Failure>

  /// Whether the subscription has ended.
  public var isDisposed: Bool { core.scope.isDisposed }

  /// Runs a closure at once or, if a handler is running, when that handler has returned.
  ///
  /// Timers and callbacks of the operator use this method. The closure does not run if the
  /// subscription has ended.
  public func enter(_ body: @escaping @Sendable (OperatorTurn<State, Value, Failure>) -> Void) {
    core.enter(body)
  }

  /// Subscribes to an input or to an inner signal, until the operator's subscription ends.
  ///
  /// - Parameters:
  ///   - signal: The signal. If this method is called inside a handler, the signal is subscribed to
  ///     when that handler has returned.
  ///   - failed: Called with the failure of the signal.
  ///   - completed: Called when the signal has completed. If this closure is nil, the result
  ///     ends as soon as all signals that the operator subscribed to have ended, as the last of
  ///     them has that had no such closure.
  ///   - next: Called with each value.
  /// - Returns: A disposable that ends only this subscription. Values of the signal that have not
  ///   been handled yet are then dropped.
  @discardableResult
  public func subscribe<Input: Sendable, InputFailure: Error>(
    to signal: Signal<Input, InputFailure>,
    failed: @escaping @Sendable (OperatorTurn<State, Value, Failure>, InputFailure) -> Void,
    completed: (@Sendable (OperatorTurn<State, Value, Failure>) -> Void)? = nil,
    next: @escaping @Sendable (OperatorTurn<State, Value, Failure>, Input) -> Void
  ) -> any Disposable {
    core.subscribe(to: signal, failed, completed, next)
  }

  /// Subscribes to a signal whose failure becomes the operator's failure.
  ///
  /// - Parameters:
  ///   - signal: The signal. If this method is called inside a handler, the signal is subscribed to
  ///     when that handler has returned.
  ///   - completed: Called when the signal has completed. If this closure is nil, the result
  ///     ends as soon as all signals that the operator subscribed to have ended, as the last of
  ///     them has that had no such closure.
  ///   - next: Called with each value.
  /// - Returns: A disposable that ends only this subscription.
  @discardableResult
  public func subscribe<Input: Sendable>(
    to signal: Signal<Input, Failure>,
    completed: (@Sendable (OperatorTurn<State, Value, Failure>) -> Void)? = nil,
    next: @escaping @Sendable (OperatorTurn<State, Value, Failure>, Input) -> Void
  ) -> any Disposable {
    core.subscribe(to: signal, { $0.fail($1) }, completed, next)
  }
}

/// Gives a handler of an operator access to the state, and sends events.
///
/// Must not be used after the handler has returned.
public struct OperatorTurn<State, Value: Sendable, Failure: Error> {
  let core: OperatorCore<State, Value, Failure>

  /// The state that the handlers share.
  public var state: State {
    get { core.state[0] }
    nonmutating _modify { yield &core.state[0] }
  }

  /// Sends a value, unless the subscription has ended.
  public func send(_ value: Value) { if core.scope.isActive { core.next(value) } }

  /// Ends the subscription with a failure, unless it has already ended.
  public func fail(_ error: Failure) { core.scope.end(.failed(error)) }

  /// Completes the subscription, unless it has ended.
  public func complete() { core.scope.end(.completed) }
}

/// The state of one subscription to an operator that a package defines.
///
/// This class is `@unchecked Sendable` because its state is changed only inside the gate, which
/// lets one thread at a time deliver events.
final class OperatorCore<State, Value: Sendable, Failure: Error>: GatedStage, @unchecked Sendable {
  let scope: Scope<Failure>
  let trace: SubscriptionTrace?
  fileprivate var next: @Sendable (Value) -> Void
  /// The state, as the only element; empty once the subscription has ended.
  fileprivate var state: [State]
  /// The number of signals that the operator is subscribed to, plus one until `start` has returned.
  private let live = Locked(1)
  /// The latest end that no handler received.
  private var lastEnd: End<Failure>?

  init(_ down: Sink<Value, Failure>, _ state: State) {
    scope = down.scope
    trace = down.trace
    next = down.next
    self.state = [state]
    super.init(downstream: down.downstreamGate)
    down.scope.own(self)
  }

  func enter(_ body: @escaping @Sendable (OperatorTurn<State, Value, Failure>) -> Void) {
    if gate.enter() {
      if scope.isActive { body(OperatorTurn(core: self)) }
      gate.leave()
    } else {
      gate.enqueue { if self.scope.isActive { body(OperatorTurn(core: self)) } }
    }
  }

  func hasStarted() { release() }

  func subscribe<Input: Sendable, InputFailure: Error>(
    to signal: Signal<Input, InputFailure>,
    _ failed: @escaping @Sendable (OperatorTurn<State, Value, Failure>, InputFailure) -> Void,
    _ completed: (@Sendable (OperatorTurn<State, Value, Failure>) -> Void)?,
    _ next: @escaping @Sendable (OperatorTurn<State, Value, Failure>, Input) -> Void
  ) -> any Disposable {
    live.withLock { $0 += 1 }
    let part = UpstreamScope<InputFailure>(in: scope) { [self] end in
      enter { [self] turn in
        switch end {
        case .failed(let error): failed(turn, error)
        case .completed: if let completed { completed(turn) } else { lastEnd = .completed }
        case .sourceGone: lastEnd = .sourceGone
        }
        release()
      }
    }
    let sink = Sink<Input, InputFailure>(part, trace, self) { [self] value in
      if gate.enter() {
        if scope.isActive { next(OperatorTurn(core: self), value) }
        gate.leave()
      } else {
        gate.enqueue {
          if self.scope.isActive, !part.wasAbandoned { next(OperatorTurn(core: self), value) }
        }
      }
    }
    whenOpen { if part.isActive { signal.attach(sink) } }
    return ActionDisposable { [self] in
      guard part.isActive else { return }
      part.abandon()
      guard part.close(.cancelled) else { return }
      scope.release(part)
      part.forget()
      enter { _ in self.release() }
    }
  }

  /// Decrements `live`; at zero, ends the result, unless handlers received all the ends.
  private func release() {
    let left = live.withLock { live in
      live -= 1
      return live
    }
    if left == 0, let lastEnd { scope.end(lastEnd) }
  }

  override func clear() {
    next = { _ in }
    // The old state is released after `state` has been emptied, because its release may end other
    // subscriptions.
    let former = state
    state = []
    withExtendedLifetime(former) {}
  }
}
