import CReactiveTraceShims

/// Tracks the values that the first input of an operator replays on subscription, until all of them
/// have arrived.
///
/// Some operators (`withLatest(from:)`, `take(until:)`) subscribe to one input before another, so
/// that values replayed by the first arrive before the second sends anything. But a shared signal
/// adds a subscriber inside its gate, which lets one thread in at a time. If the gate is taken, by
/// another thread or further up the stack of this one, the subscriber is added later. A cold source
/// also starts later if it is part of a second input that itself has to wait. No thread blocks to
/// wait for the values. Instead the second input is *held*: hot sources are subscribed to at once,
/// and what they send waits in a gate; cold sources are scheduled when the values have arrived.
///
/// The operator that subscribes calls ``collect(_:)`` for the first input. Every stage of that
/// input that postpones replayed values, however far upstream, takes a ``Token``, and the values
/// have arrived when all tokens have been released. If nothing is postponed, nothing is allocated.
@usableFromInline
final class Arrival: Sendable {
  private struct State: Sendable {
    /// The number of tokens, plus one while the first input is being subscribed to.
    var missing = 1
    var actions: [@Sendable () -> Void] = []
    /// A token of the arrival that an operator downstream waits for; it is kept until the values of
    /// this arrival have arrived.
    var outer: Token?
  }

  private let state = Locked(State())

  /// Stands for postponed values: when the token is released, the values have arrived or will never
  /// arrive.
  @usableFromInline
  final class Token: Sendable {
    fileprivate let arrival: Arrival
    fileprivate init(_ arrival: Arrival) { self.arrival = arrival }
    deinit { arrival.countArrival() }
  }

  /// Which input of an operator the calling thread is subscribing to.
  fileprivate struct Context {
    /// For the first input, the arrival that gives tokens to stages that postpone values; nil until
    /// a stage takes one.
    var arrival: Arrival?
    /// Whether this is another input, which is held for `arrival`.
    let isHolding: Bool
    let outer: UnsafeMutablePointer<Context>?
  }

  private init() {}

  /// Subscribes to the first input, whose replayed values have to arrive before another input
  /// sends.
  ///
  /// - Returns: The arrival for which the other input is held; nil if all values have already
  ///   arrived.
  @usableFromInline
  static func collect(_ subscribe: () -> Void) -> Arrival? {
    guard let arrival = inContext(nil, isHolding: false, subscribe) else { return nil }
    // An operator downstream that waits for values replayed by this operator also waits for the
    // values from which this operator makes them.
    arrival.state.withLock { $0.outer = expected() }
    return arrival.countArrival() ? nil : arrival
  }

  /// Does the same as ``collect(_:)`` for an input that is itself held until the values of
  /// `previous` have arrived; the result is the arrival for which the next input is held.
  @usableFromInline
  static func collect(after previous: Arrival?, _ subscribe: () -> Void) -> Arrival? {
    guard let arrival = collect(subscribe) else { return previous }
    if let previous {
      let token = arrival.token()
      previous.then { withExtendedLifetime(token) {} }
    }
    return arrival
  }

  /// A token for a stage that postpones replayed values; nil if no operator waits for them.
  @usableFromInline
  static func expected() -> Token? {
    var context = top
    while let one = context, one.pointee.isHolding { context = one.pointee.outer }
    guard let context else { return nil }
    let arrival = context.pointee.arrival ?? Arrival()
    context.pointee.arrival = arrival
    return arrival.token()
  }

  /// Runs `body`, which sends the values that `token` stands for; values that have to wait in a
  /// gate on the way take another token.
  @usableFromInline
  static func run(for token: Token?, _ body: () -> Void) {
    guard let token else { return body() }
    _ = inContext(token.arrival, isHolding: false, body)
  }

  /// Wraps an event that is about to wait in a gate, so that it holds a token if an operator waits
  /// for the event.
  static func holdingToken(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard rxt_thread_state().pointee.arrivals != nil, let token = expected() else { return event }
    return { run(for: token, event) }
  }

  /// The arrival that a cold source has to wait for if it is subscribed to now; nil if there is
  /// none.
  static var holding: Arrival? {
    var context = top
    while let one = context {
      if one.pointee.isHolding { return one.pointee.arrival }
      context = one.pointee.outer
    }
    return nil
  }

  /// Runs `action` when all values have arrived: at once if they have, otherwise on the thread that
  /// releases the last token.
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

  /// Counts one released token, or the end of subscribing; returns true if all values have arrived.
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

  /// Runs `subscribe` in a new context, and returns the arrival that the context has at the end.
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
  /// Subscribes through `attach`, but forwards nothing until the values of `arrival` have arrived.
  ///
  /// What hot sources send meanwhile waits in a separate gate, and is forwarded in order.
  @usableFromInline @inline(never)
  func held(for arrival: Arrival, _ attach: (Sink) -> Void) {
    let outlet = Outlet(self)
    guard outlet.gate.enter() else { return }
    // While the gate is held, events that wait in it, such as an end, must not take tokens of
    // `arrival`, which would then wait for itself.
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
  /// Subscribes `sink` to this signal.
  ///
  /// If `arrival` is not nil, nothing is forwarded until its values have arrived.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>, after arrival: Arrival?) {
    if let arrival { sink.held(for: arrival) { attach($0) } } else { attach(sink) }
  }
}
