import CReactiveTraceShims

/// Values that the first input of an operator sends when it is subscribed to, but that arrive a
/// little later.
///
/// Several operators subscribe to one signal before another, so that the values that the first one
/// has kept arrive before the second one sends anything (`withLatest(from:)`, `take(until:)`). A
/// shared signal admits a subscriber in its gate. If the gate is taken, by another thread or by
/// this one further up the stack, the admission waits; without a current scheduler, the replay
/// waits too. No thread waits for that. Instead the second input is *held*: hot sources register at
/// once, and what they send waits in a gate; cold sources start when the values have arrived, on
/// the scheduler on which they would have started anyway.
///
/// The operator that subscribes calls ``collect(_:)`` for the first input. Every stage below that
/// postpones kept values, however many stages away, takes a ``Token``, and the values have arrived
/// when all tokens have been released. If nothing is postponed, nothing is allocated.
@usableFromInline
final class Arrival: Sendable {
  private struct State: Sendable {
    /// The number of tokens, plus one for the subscribing itself.
    var missing = 1
    var actions: [@Sendable () -> Void] = []
    /// A token of an operator further down that waits for this one.
    var outer: Token?
  }

  private let state = Locked(State())

  /// Stands for values that have been postponed: when it is released, they have come, or never
  /// will.
  @usableFromInline
  final class Token: Sendable {
    fileprivate let arrival: Arrival
    fileprivate init(_ arrival: Arrival) { self.arrival = arrival }
    deinit { arrival.countArrival() }
  }

  /// What the calling thread is subscribing to.
  fileprivate struct Context {
    /// The arrival that postponed values take tokens of while the first input is subscribed to.
    var arrival: Arrival?
    /// Whether the input that is being subscribed to is held for `arrival`, instead.
    let isHolding: Bool
    let outer: UnsafeMutablePointer<Context>?
  }

  private init() {}

  /// Subscribes to an input whose values another input is to find ready.
  ///
  /// - Returns: The arrival for which the other input is held; nil if all values have already come.
  @usableFromInline
  static func collect(_ subscribe: () -> Void) -> Arrival? {
    guard let arrival = inContext(nil, isHolding: false, subscribe) else { return nil }
    // An operator further down that waits for this one's kept values also waits for those that they
    // are made from.
    arrival.state.withLock { $0.outer = expected() }
    return arrival.countArrival() ? nil : arrival
  }

  /// Does the same for one of several inputs, which is itself held for `previous`.
  @usableFromInline
  static func collect(after previous: Arrival?, _ subscribe: () -> Void) -> Arrival? {
    guard let arrival = collect(subscribe) else { return previous }
    if let previous {
      let token = arrival.token()
      previous.then { withExtendedLifetime(token) {} }
    }
    return arrival
  }

  /// A token for a stage that postpones kept values; nil if nothing waits for them.
  @usableFromInline
  static func expected() -> Token? {
    var context = top
    while let one = context, one.pointee.isHolding { context = one.pointee.outer }
    guard let context else { return nil }
    let arrival = context.pointee.arrival ?? Arrival()
    context.pointee.arrival = arrival
    return arrival.token()
  }

  /// Runs `body`, which sends the values that `token` stands for; those that have to wait in a gate
  /// on the way take a token too.
  @usableFromInline
  static func run(for token: Token?, _ body: () -> Void) {
    guard let token else { return body() }
    _ = inContext(token.arrival, isHolding: false, body)
  }

  /// An event that waits in a gate, with a token if something waits for it.
  static func holdingToken(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard rxt_thread_state().pointee.arrivals != nil, let token = expected() else { return event }
    return { run(for: token, event) }
  }

  /// The arrival for which a cold source that is subscribed to now has to wait.
  static var holding: Arrival? {
    var context = top
    while let one = context {
      if one.pointee.isHolding { return one.pointee.arrival }
      context = one.pointee.outer
    }
    return nil
  }

  /// Runs `action` when everything has arrived: at once, or on the thread on which the last part
  /// arrives.
  func then(_ action: @escaping @Sendable () -> Void) {
    let hasArrived = state.withLock { state in
      if state.missing > 0 { state.actions.append(action) }
      return state.missing == 0
    }
    if hasArrived { action() }
  }

  fileprivate func hold(_ subscribe: () -> Void) {
    _ = Self.inContext(self, isHolding: true, subscribe)
  }

  private func token() -> Token {
    state.withLock { $0.missing += 1 }
    return Token(self)
  }

  /// Counts one part as arrived; returns whether it was the last one.
  @discardableResult
  private func countArrival() -> Bool {
    let (isLast, actions, outer) = state.withLock { state in
      state.missing -= 1
      if state.missing > 0 { return (false, [@Sendable () -> Void](), Token?.none) }
      defer {
        state.actions = []
        state.outer = nil
      }
      return (true, state.actions, state.outer)
    }
    Self.run(for: outer) { for action in actions { action() } }
    return isLast
  }

  private static var top: UnsafeMutablePointer<Context>? {
    rxt_thread_state().pointee.arrivals?.assumingMemoryBound(to: Context.self)
  }

  /// Runs `subscribe` in a context, and returns the context as it was at the end.
  private static func inContext(
    _ arrival: Arrival?,
    isHolding: Bool,
    _ subscribe: () -> Void
  ) -> Arrival? {
    var context = Context(arrival: arrival, isHolding: isHolding, outer: top)
    return withUnsafeMutablePointer(to: &context) { context in
      rxt_thread_state().pointee.arrivals = UnsafeMutableRawPointer(context)
      subscribe()
      rxt_thread_state().pointee.arrivals = context.pointee.outer.map {
        UnsafeMutableRawPointer($0)
      }
      return context.pointee.arrival
    }
  }
}

extension Sink {
  /// Subscribes through `attach`, but forwards nothing before `arrival`.
  ///
  /// What hot sources send meanwhile waits in a separate gate, and is forwarded in order.
  @usableFromInline @inline(never)
  func held(for arrival: Arrival, _ attach: (Sink) -> Void) {
    let outlet = Outlet(self)
    guard outlet.gate.enter() else { return }
    // Events of the outlet that come while the values arrive, such as an end, must not make the
    // arrival wait for itself.
    outlet.gate.waiting.withBusyLock { $0.isHeld = true }
    scope.own(outlet)
    let source = UpstreamScope<Failure>(in: scope) { outlet.end($0) }
    arrival.hold { attach(Sink(source, trace, outlet) { outlet.send($0, from: source) }) }
    arrival.then {
      outlet.gate.waiting.withBusyLock { $0.isHeld = false }
      outlet.gate.leave()
    }
  }
}

extension Signal {
  /// Starts this signal into `sink`, held for `arrival` if there is one.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>, after arrival: Arrival?) {
    if let arrival { sink.held(for: arrival) { attach($0) } } else { attach(sink) }
  }
}
