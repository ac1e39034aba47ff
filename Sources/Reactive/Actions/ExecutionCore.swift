public import TraceFormat
public import Synchronization

/// The state that a command or action shares with its signals and executions.
///
/// The signals and executions may outlive the command or action.
///
/// The state changes at once, under one lock; subscribers are notified on the scheduler, in order.
@usableFromInline
final class ExecutionCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Run = Execution<Output, Failure>

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var status: ExecutionStatus
    /// The execution that runs, which new requests may join or wait for; not used by commands.
    @usableFromInline var current: Run?
    @usableFromInline var subscribersOfCurrent = 0
    @usableFromInline var waiting = Fifo<Run>()
    /// Whether the command or action has been released.
    @usableFromInline var isOver = false

    /// The number of executions that were withdrawn since `waiting` was last searched for them.
    @usableFromInline var withdrawnCount = 0

    @inlinable
    init(_ status: ExecutionStatus) { self.status = status }

    /// Counts a withdrawn execution; if most of those that wait may be withdrawn, takes these out of
    /// the queue and returns them.
    @inlinable
    mutating func removeWithdrawn() -> [Run] {
      withdrawnCount += 1
      guard withdrawnCount * 2 > waiting.count else { return [] }
      withdrawnCount = 0
      var withdrawn: [Run] = []
      var rest = Fifo<Run>()
      while let one = waiting.pop() {
        if one.isWithdrawn { withdrawn.append(one) } else { rest.push(one) }
      }
      waiting = rest
      return withdrawn
    }
  }

  @usableFromInline let site: Site
  @usableFromInline let mailbox: Mailbox
  @usableFromInline let state: HeapBox<Locked<State>>
  @usableFromInline let statusHub: Hub<ExecutionStatus, Never>
  @usableFromInline let values: Hub<Output, Never>
  @usableFromInline let errors: Hub<Failure, Never>
  @usableFromInline let executions: Hub<Signal<Output, Never>, Never>
  @usableFromInline let refusals: Hub<Void, Never>
  /// Whether the values have ever been subscribed to.
  @usableFromInline let hasValueSubscribers = Atomic<Bool>(false)
  /// Whether the refusals have ever been subscribed to.
  @usableFromInline let hasRefusalSubscribers = Atomic<Bool>(false)

  /// Does the work of ``end()``.
  ///
  /// The inlinable initializer makes this closure, so that the compiler can specialize its code for
  /// the program's types. ``end()`` itself is not inlinable, so its code does not know these types.
  @usableFromInline let finish: @Sendable (ExecutionCore) -> Void

  @inlinable
  init(_ site: Site, _ scheduler: any Scheduler, allowsConcurrent: Bool) {
    self.site = site
    mailbox = Mailbox(on: scheduler)
    state = HeapBox(Locked(State(ExecutionStatus(allowsConcurrent: allowsConcurrent))))
    statusHub = Hub()
    values = Hub()
    errors = Hub()
    executions = Hub()
    refusals = Hub()
    finish = { $0.finishAll() }
  }

  @inlinable
  func post(_ work: @escaping @Sendable () -> Void) { mailbox.post(work) }

  /// Changes the state, and sends the status if it has changed.
  @inlinable
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, changed) = state.withLock { state -> (Result, ExecutionStatus?) in
      let old = state.status
      let result = body(&state)
      let isSame =
        old.isAllowed == state.status.isAllowed && old.running == state.status.running
        && old.allowsConcurrent == state.status.allowsConcurrent
      if isSame { return (result, nil) }
      state.status.number += 1
      return (result, state.status)
    }
    if let changed { post { [self] in statusHub.send(changed) } }
    return result
  }

  /// Subscribes to a signal that says whether executions are allowed, until `owned` is disposed of.
  @inlinable
  func follow(_ isAllowed: Signal<Bool, Never>?, _ owned: CompositeDisposable) {
    guard let isAllowed else { return }
    let scope = UpstreamScope<Never>(onEnd: { _ in })
    let site = Site(site.name, site.file, UInt(site.line), UInt(site.column), .root)
    owned.add(
      isAllowed.begin(scope, site) { [self] value in
        // Another thread may still deliver a value after the command or action was released.
        change { if !$0.isOver { $0.status.isAllowed = value } }
      }
    )
  }

  /// Called when the command or action is released: refuses further requests, and completes its
  /// signals after the events that are already posted.
  func end() { finish(self) }

  @inlinable
  func finishAll() {
    state.withLock { state in
      state.isOver = true
      state.status.isAllowed = false
    }
    post { [self] in
      statusHub.end(.completed)
      values.end(.completed)
      errors.end(.completed)
      executions.end(.completed)
      refusals.end(.completed)
    }
  }

  /// Called when a request was refused.
  @inlinable
  func refused() {
    if hasRefusalSubscribers.load(ordering: .relaxed) { post { [self] in refusals.send(()) } }
  }

  // MARK: What executions report

  @inlinable
  func began(_ run: Run) {
    let signal = run.values
    post { [self] in executions.send(signal) }
  }

  @inlinable
  func sent(_ value: Output) {
    if hasValueSubscribers.load(ordering: .relaxed) { post { [self] in values.send(value) } }
  }

  /// Called when an execution has ended or was cancelled: begins the execution that has waited
  /// longest in the queue.
  @inlinable
  func ended(_ run: Run, _ end: End<ActionError<Failure>>) {
    // Withdrawn executions are released here, with the closures that they hold, and not under the
    // lock.
    let (next, passed) = change { state -> (Run?, [Run]) in
      if state.current === run { state.current = nil }
      var passed: [Run] = []
      var next = state.waiting.pop()
      while let withdrawn = next, withdrawn.isWithdrawn {
        passed.append(withdrawn)
        next = state.waiting.pop()
      }
      if let next {
        state.current = next
        state.subscribersOfCurrent = 1
      } else {
        state.status.running -= 1
      }
      return (next, passed)
    }
    withExtendedLifetime(passed) {}
    if case .failed(.failed(let error)) = end { post { [self] in errors.send(error) } }
    run.hub.end(end)
    guard let next else { return }
    began(next)
    post { next.begin() }
  }

  // MARK: Signals

  /// A property whose value is one part of the status.
  ///
  /// Its signal sends the current value when it is subscribed to, then each change on the
  /// scheduler.
  @inlinable
  func property<Part: Equatable & Sendable>(
    _ name: String,
    _ part: @escaping @Sendable (ExecutionStatus) -> Part
  ) -> Property<Part> {
    let signal = Signal<Part, Never>(site, argument: .part(name)) { [self] down in
      let last = StageState<ExecutionStatus?>(nil)
      let outlet = Outlet<ExecutionStatus, Never>(
        down.with { [next = down.next] status in
          let former = last.value
          if let former, former.number >= status.number { return }
          last.value = status
          if former.map(part) != part(status) { next(part(status)) }
        }
      )
      down.scope.own(outlet)
      let source = UpstreamScope<Never>(in: down.scope) { outlet.end($0) }
      guard outlet.gate.enter() else { return }
      statusHub.add(Sink(source, down.trace, outlet) { outlet.send($0, from: source) })
      outlet.pass(state.withLock { $0.status }, from: source)
      outlet.gate.leave()
    }
    return Property(signal: signal) { [self] in part(state.withLock { $0.status }) }
  }

  /// The values of all executions, sent on the scheduler.
  @inlinable
  func valuesSignal() -> Signal<Output, Never> {
    hot("values", values) { [self] in hasValueSubscribers.store(true, ordering: .relaxed) }
  }

  /// The failures of all executions, sent on the scheduler.
  @inlinable
  func errorsSignal() -> Signal<Failure, Never> { hot("errors", errors) {} }

  /// A signal for each execution, sent on the scheduler.
  @inlinable
  func executionsSignal() -> Signal<Signal<Output, Never>, Never> {
    hot("executionSignals", executions) {}
  }

  /// A value for each request that was refused, sent on the scheduler.
  @inlinable
  func refusalsSignal() -> Signal<Void, Never> {
    hot("disabledErrors", refusals) { [self] in
      hasRefusalSubscribers.store(true, ordering: .relaxed)
    }
  }

  @inlinable
  func hot<Value: Sendable>(
    _ name: String,
    _ hub: Hub<Value, Never>,
    _ isSubscribed: @escaping @Sendable () -> Void
  ) -> Signal<Value, Never> {
    let site = Site(site.name, site.file, UInt(site.line), UInt(site.column), [.hot, .endless])
    let signal = Signal<Value, Never>(site, argument: .part(name)) { down in
      isSubscribed()
      hub.add(down)
    }
    hub.id = signal.node.id
    return signal
  }
}
