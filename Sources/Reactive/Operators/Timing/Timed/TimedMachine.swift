/// The state of an operator with a timer, and what it has decided to send, in that order.
@usableFromInline
struct TimedMachine<State: TimedState>: Sendable {
  @usableFromInline
  enum Decided: Sendable {
    /// A value, and when the timer is to fire that is armed once the value has been sent.
    case next(State.Output, then: Duration?)
    case end(End<State.Failure>)
  }

  /// What remains to be done outside the lock.
  @usableFromInline
  struct Step: Sendable {
    /// To arm the timer for.
    @usableFromInline var delay: Duration?
    /// Whether the caller has to send what was decided, because nobody does.
    @usableFromInline var mustSend = false
    /// What nobody needs any more, to be released outside the lock: the state after its end, or a value.
    @usableFromInline var last: State?
    @usableFromInline var dropped: State.Output?

    @inlinable
    init() {}
  }

  /// Nil when it has ended.
  @usableFromInline var state: State?
  @usableFromInline var decided = Fifo<Decided>()
  @usableFromInline var isSending = false
  /// What the trace was last told.
  @usableFromInline var recordedDepth = 0

  @inlinable
  init(_ state: State) { self.state = state }

  /// Asks the state, and notes what is to be sent.
  ///
  /// Where a value is to be sent and a timer to be armed, the value goes first: a timer that is armed
  /// again at each fire would otherwise fire faster than a slow subscriber takes what it sends, and whoever
  /// sends would never get done.
  @inlinable
  mutating func step(at now: Duration, _ decide: (inout State) -> State.Action) -> Step {
    guard var current = state else { return Step() }
    state = nil  // So that what it holds is not copied.
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

  /// The next to send; nil when nothing is left, and nobody sends any more.
  @inlinable
  mutating func next() -> Decided? {
    let one = decided.pop()
    if one == nil { isSending = false }
    return one
  }

  /// How many values are held back or wait to be sent, where the trace does not know it yet.
  @inlinable
  mutating func depthToRecord() -> Int? {
    let held = (state?.held ?? 0) + decided.count
    defer { recordedDepth = held }
    return held == recordedDepth ? nil : held
  }

  /// Ends it without an event, and returns what it held.
  @inlinable
  mutating func clear() -> TimedMachine {
    defer {
      state = nil
      decided = Fifo()
    }
    return self
  }
}
