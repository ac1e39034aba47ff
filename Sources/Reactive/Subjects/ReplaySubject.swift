public import ReactiveTrace

/// A subject that also sends its latest values to those who subscribe later, then the terminal event,
/// if it has ended.
///
/// A new subscriber gets the kept values first, in order and before `subscribe` returns, and no value
/// twice or not at all, also while others send. In an asynchronous backtrace a kept value leads to the
/// subscriber that asked for it, not to who sent it.
public final class ReplaySubject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let hub: Hub<Value, Failure>
  /// What is sent.
  ///
  /// It refers to the kept values, not to the subject.
  public let signal: Signal<Value, Failure>

  ///
  /// - Parameters:
  ///   - capacity: How many values are kept; by default all. With 0 only the end is remembered.
  ///   - name: What the signal is called in logs and traces.
  ///   - backlog: What becomes of those who send when more is sent than is handled.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @inlinable
  public init(
    capacity: Int = .max,
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    precondition(
      capacity >= 0,
      "ReplaySubject(capacity: \(capacity)): the capacity must be ≥ 0 (OperatorIndex, ReplaySubject)"
    )
    let hub = Hub<Value, Failure>(capacity: capacity)
    hub.gate.limit(backlog)
    self.hub = hub
    signal = Signal(
      Site("ReplaySubject", file, line, column, [.hot, .endless, .replays, .subject]),
      argument: capacity == .max ? .none : .written { "capacity: \(capacity)" },
      name: name
    ) { hub.addReplaying($0) }
    hub.id = signal.node.id
  }

  /// A subject that keeps values for a time, and at most so many.
  ///
  /// ```
  /// sent                          -1--2---
  /// late, kept for 4, at 3           (1)2---
  /// late, kept for 4, at 6              (2)--
  /// ```
  ///
  /// A value that has been kept for `duration` is not sent any more. It is let go of with the next that is sent, or with
  /// the next subscriber: no timer runs for it.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept; by default all of that time.
  ///   - duration: How long each is kept.
  ///   - scheduler: Whose time it is; nothing runs there.
  ///   - name: What the signal is called in logs and traces.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    _ name: String? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    precondition(
      capacity >= 0,
      "ReplaySubject(capacity: \(capacity)): the capacity must be ≥ 0 (OperatorIndex, ReplaySubject)"
    )
    let keeping = Keeping(capacity, lasting: duration, on: scheduler)
    let hub: Hub<Value, Failure> = keeping.makeHub()
    self.hub = hub
    signal = Signal(
      Site("ReplaySubject", file, line, column, [.hot, .endless, .replays, .subject]),
      argument: keeping.argument("capacity: "),
      name: name
    ) { hub.addReplaying($0) }
    hub.id = signal.node.id
  }

  // What it ends may have held another subject, and so on.
  deinit { Nest.run { [hub] in hub.sourceGone() } }

  /// Whether somebody is subscribed now.
  ///
  /// What is forwarded to the subject does not count. Other threads may subscribe, or end what they have, while it is read:
  /// so it may save work that nobody would see, and must decide nothing else. O(1).
  public var hasObservers: Bool { hub.hasObservers }

  /// Sends a value to everyone who is subscribed now, and keeps it.
  @inlinable
  public func send(_ value: Value) { hub.send(value) }

  /// Ends all subscriptions, present and future, with a failure.
  ///
  /// Nothing is sent after it.
  @inlinable
  public func fail(_ error: Failure) { hub.end(.failed(error)) }

  /// Ends all subscriptions, present and future, in order.
  ///
  /// Nothing is sent after it.
  @inlinable
  public func complete() { hub.end(.completed) }
}

extension ReplaySubject where Value == Void {
  /// Sends the value there is.
  @inlinable
  public func send() { send(()) }
}

extension Hub {
  /// Adds a subscriber that gets the kept values first.
  ///
  /// Its values go through a gate of its own, which is closed until the kept values have been sent. What is
  /// sent meanwhile waits there in its order.
  @usableFromInline
  func addReplaying(_ down: Sink<Value, Failure>) {
    let outlet = Outlet(down)
    down.scope.own(outlet)
    let source = UpstreamScope<Failure>(in: down.scope) { outlet.end($0) }
    let one = TypedListener(self, source) { outlet.send($0, from: source) }
    source.own(one)
    guard outlet.gate.enter() else { return }
    if gate.enter() {
      admitReplaying(one, outlet, source)
      gate.leave()
    } else {
      let token = Arrival.expected()
      gate.wait { Arrival.run(for: token) { self.admitReplaying(one, outlet, source) } }
    }
    outlet.gate.leave()
  }

  private func admitReplaying(
    _ one: TypedListener<Value, Failure>,
    _ outlet: Outlet<Value, Failure>,
    _ source: Subscription
  ) {
    forgetOutlived()
    if !buffer.isEmpty {
      outlet.gate.wait { [buffer] in
        var kept = buffer
        while outlet.isHeard, let value = kept.pop() {
          outlet.pass(value, from: source)
        }
      }
    }
    admit(.passRetained(one))
  }
}

extension ReplaySubject: Watched {
  var observed: HubBase { hub }
}
