/// The state of an operator with a timer, and the queue of events that this state has decided to
/// send.
@usableFromInline
struct TimedMachine<State: TimedState>: Sendable {
  @usableFromInline
  enum Decided: Sendable {
    /// A value, and the time for which to arm the timer once the value has been sent.
    case next(State.Output, then: Duration?)
    case end(End<State.Failure>)
  }

  /// What is left to do outside the lock after a step (one decision of the state).
  @usableFromInline
  struct Step: Sendable {
    /// The delay for which to arm the timer.
    @usableFromInline var delay: Duration?
    /// Whether the caller has to send the decided events, because no other thread is sending.
    @usableFromInline var mustSend = false
    /// Objects to be released outside the lock: the state, if it has ended, and a value that it
    /// dropped.
    @usableFromInline var last: State?
    @usableFromInline var dropped: State.Output?

    @inlinable
    init() {}
  }

  /// Nil when the machine has ended.
  @usableFromInline var state: State?
  @usableFromInline var decided = Fifo<Decided>()
  @usableFromInline var isSending = false
  /// The number of values that the trace last recorded.
  @usableFromInline var recordedCount = 0

  @inlinable
  init(_ state: State) { self.state = state }

  /// Lets the state decide what to do, and queues the events to be sent.
  ///
  /// If a value is to be sent and the timer to be armed, the value is sent first. If the timer were
  /// armed first, a timer that is armed again whenever it fires could fire faster than a slow
  /// subscriber handles values, and the sending thread would never finish.
  @inlinable
  mutating func step(at now: Duration, _ decide: (inout State) -> State.Action) -> Step {
    guard var current = state else { return Step() }
    state = nil  // A second reference to the contents would make a change copy them.
    var step = Step()
    let action = decide(&current)
    step.dropped = current.takeDropped()
    switch action {
    case .nothing: state = current
    case .arm(let delay):
      state = current
      step.delay = delay
    case .send(let value):
      state = current
      decided.push(.next(value, then: nil))
    case .sendAndArm(let value, let delay):
      state = current
      decided.push(.next(value, then: delay.map { now + $0 }))
    case .end(let value, let end):
      step.last = current
      if let value { decided.push(.next(value, then: nil)) }
      decided.push(.end(end))
    }
    step.mustSend = !isSending && !decided.isEmpty
    if step.mustSend { isSending = true }
    return step
  }

  /// Takes the next event to send; if there is none, returns nil and marks the machine as not
  /// sending.
  @inlinable
  mutating func next() -> Decided? {
    let one = decided.pop()
    if one == nil { isSending = false }
    return one
  }

  /// How many values are held back or wait to be sent; nil if the trace has recorded that number
  /// already.
  @inlinable
  mutating func newCount() -> Int? {
    let held = (state?.held ?? 0) + decided.count
    defer { recordedCount = held }
    return held == recordedCount ? nil : held
  }

  /// Ends the machine without an event, and returns its former contents.
  @inlinable
  mutating func clear() -> TimedMachine {
    defer {
      state = nil
      decided = Fifo()
    }
    return self
  }
}

/// A machine behind a lock, whose number of values is recorded in the trace.
@usableFromInline
struct LockedMachine<State: TimedState>: ~Copyable, Sendable {
  @usableFromInline let machine: Locked<TimedMachine<State>>
  @usableFromInline let count: HeldCount

  @inlinable
  init(_ state: State, for trace: SubscriptionTrace?) {
    machine = Locked(TimedMachine(state))
    count = HeldCount(of: trace)
  }

  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable>(
    _ body: (inout TimedMachine<State>) -> Result
  ) -> Result {
    machine.withLock(body)
  }

  /// Records how many values are left, if that has changed; called when the events of a step have
  /// been sent.
  @inlinable @inline(__always)
  borrowing func endStep() {
    if count.isRecorded, let held = withLock({ $0.newCount() }) { count.changed(to: held) }
  }
}
