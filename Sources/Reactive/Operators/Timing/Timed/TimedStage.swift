/// One subscription to an operator with a timer: it keeps its state behind a lock, and after
/// unlocking performs the action on which the state has decided.
///
/// The source and the timer call this object on different threads. The events that the state
/// decides to send are queued under the same lock, so that they are sent in the order of the
/// decisions. For example, if the timer takes the waiting value out of the state, and completion
/// arrives next, the value is sent before the completion. A thread that queues an event also sends
/// the queued events, unless another thread is sending them. Events wait in the queue; threads
/// never wait (event contract, rule 3).
///
/// This class is `@unchecked Sendable` because its superclass `Teardown` is; its own properties are
/// constant or locked.
@usableFromInline
final class TimedStage<State: TimedState>: Teardown, @unchecked Sendable {
  @usableFromInline let outlet: Outlet<State.Output, State.Failure>
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let site: Site
  @usableFromInline let machine: LockedMachine<State>
  @usableFromInline let timer = SerialDisposable()
  @usableFromInline let cause = TimerCause()

  @inlinable
  init(
    _ down: Sink<State.Output, State.Failure>,
    _ state: State,
    on scheduler: any Scheduler,
    site: Site
  ) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    self.scheduler = scheduler
    self.site = site
    machine = LockedMachine(state, for: down.trace)
    super.init()
    down.scope.own(self)
  }

  // MARK: Inputs

  @inlinable
  func start() {
    let now = scheduler.now
    perform(at: now) { $0.start(at: now) }
  }

  @inlinable
  func receive(_ value: State.Input) {
    cause.valueArrived(on: scheduler)
    let now = scheduler.now
    perform(at: now) { $0.receive(value, at: now) }
  }

  @inlinable
  func end(_ end: End<State.Failure>) { perform(at: .zero) { $0.end(end) } }

  @inlinable
  func fire() {
    let now = scheduler.now
    cause.fire { perform(at: now) { $0.fire(at: now) } }
  }

  // MARK: Actions

  @inlinable
  func perform(at now: Duration, _ decide: (inout State) -> State.Action) {
    let step = machine.withLock { $0.step(at: now, decide) }
    if let delay = step.delay { arm(for: delay) }
    if step.mustSend { send() }
    machine.endStep()
  }

  @inlinable
  func arm(for delay: Duration) {
    let next = ScheduledTimer(on: scheduler, after: delay, site: site, trace: outlet.trace) {
      [self] in fire()
    }
    // The timer is stored before it is armed, because it may fire, and arm its successor, before
    // `arm` returns.
    timer.inner = next
    next.arm()
  }

  @inlinable
  func send() {
    while let decided = machine.withLock({ $0.next() }) {
      switch decided {
      case .next(let value, nil): outlet.send(value)
      case .next(let value, let time?):
        outlet.send(value) { [self] in arm(for: max(time - scheduler.now, .zero)) }
      case .end(let end): outlet.end(end)
      }
    }
  }

  @inlinable
  override func teardown(_ ending: Ending) {
    // The contents of the machine are released when this method returns, not under its lock.
    let last = machine.withLock { $0.clear() }
    timer.dispose()
    withExtendedLifetime(last) {}
  }
}

extension Signal {
  /// Makes the signal of an operator with a timer from the operator's initial state; `input`
  /// converts values to inputs of the state.
  func timed<State: TimedState>(
    _ state: State,
    on scheduler: any Scheduler,
    _ site: Site,
    argument: Argument,
    _ input: @escaping @Sendable (Value) -> State.Input
  ) -> Signal<State.Output, Failure> where State.Failure == Failure {
    Signal<State.Output, Failure>(site, .one(self), argument: argument) { [self] down in
      let stage = TimedStage(down, state, on: scheduler, site: site)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      stage.start()
      guard upstream.isActive else { return }
      attach(Sink(upstream, down.trace, stage.outlet) { stage.receive(input($0)) })
    }
  }

  /// Makes the signal of an operator with a timer whose state takes the values themselves as
  /// inputs.
  func timed<State: TimedState>(
    _ state: State,
    on scheduler: any Scheduler,
    _ site: Site,
    argument: Argument
  ) -> Signal<State.Output, Failure> where State.Failure == Failure, State.Input == Value {
    timed(state, on: scheduler, site, argument: argument) { $0 }
  }
}
