public import TraceFormat

/// A subject that also sends its latest values to later subscribers, then the terminal event, if it
/// has ended.
///
/// A new subscriber gets the kept values first, in order, and before `subscribe` returns unless the
/// subject is delivering another event at that moment. It gets no value twice and misses none, even
/// while other threads send. The asynchronous backtrace of a kept value leads to the code that
/// subscribed, not to the sender.
public final class ReplaySubject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let hub: Hub<Value, Failure>
  /// The events that are sent to the subject.
  ///
  /// The signal retains the kept values and the list of subscribers, but not the subject.
  public let signal: Signal<Value, Failure>

  /// Creates a subject that keeps its latest values.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept; by default all. With 0, only the terminal event is
  ///     kept.
  ///   - name: The name of the signal in logs and traces.
  ///   - backlog: What happens to threads that send faster than the subscribers handle the values.
  @inlinable
  public init(
    capacity: Int = .max,
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

  /// Creates a subject that keeps values for a limited time, and at most a given number.
  ///
  /// ```
  /// sent                          -1--2---
  /// late, kept for 4, at 3           (1)2---
  /// late, kept for 4, at 6              (2)--
  /// ```
  ///
  /// A value that has been kept for `duration` is no longer sent. It is released when the next
  /// value is sent, or the next subscriber comes, because no timer is used.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept; by default all that are not too old.
  ///   - duration: How long each value is kept.
  ///   - scheduler: Provides the time; no work runs on it.
  ///   - name: The name of the signal in logs and traces.
  public init(
    capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    precondition(
      capacity >= 0,
      "ReplaySubject(capacity: \(capacity)): the capacity must be ≥ 0 (OperatorIndex, ReplaySubject)"
    )
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    let hub: Hub<Value, Failure> = policy.makeHub()
    self.hub = hub
    signal = Signal(
      Site("ReplaySubject", file, line, column, [.hot, .endless, .replays, .subject]),
      argument: policy.argument("capacity: "),
      name: name
    ) { hub.addReplaying($0) }
    hub.id = signal.node.id
  }

  // Ending a subscription may release another subject, whose end releases a third, and so on.
  deinit { NestingLimit.run { [hub] in hub.sourceGone() } }

  /// Whether there are subscribers now.
  ///
  /// A signal that is forwarded to the subject does not count as a subscriber. Other threads may
  /// subscribe, or end their subscriptions, while this property is read, so use it only to avoid
  /// work whose result nobody would receive. O(1).
  public var hasObservers: Bool { hub.hasObservers }

  /// Sends a value to all current subscribers, and keeps it.
  @inlinable
  public func send(_ value: Value) { hub.send(value) }

  /// Ends all subscriptions, present and future, with a failure.
  ///
  /// Events sent later are dropped.
  @inlinable
  public func fail(_ error: Failure) { hub.end(.failed(error)) }

  /// Completes all subscriptions, present and future.
  ///
  /// Events sent later are dropped.
  @inlinable
  public func complete() { hub.end(.completed) }
}

extension ReplaySubject where Value == Void {
  /// Sends the value `()`.
  @inlinable
  public func send() { send(()) }
}

extension Hub {
  /// Adds a subscriber that gets the kept values first.
  ///
  /// Its values go through a separate gate, which lets one thread at a time deliver. Unless the hub
  /// is delivering another event, this thread occupies that gate until the kept values have been
  /// sent. Values that other threads send meanwhile wait in that gate, in order.
  @inlinable
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
      gate.enqueue { Arrival.run(for: token) { self.admitReplaying(one, outlet, source) } }
    }
    outlet.gate.leave()
  }

  @inlinable
  func admitReplaying(
    _ one: TypedListener<Value, Failure>,
    _ outlet: Outlet<Value, Failure>,
    _ source: Subscription
  ) {
    removeExpired()
    if !buffer.isEmpty {
      outlet.gate.enqueue { [buffer] in
        var kept = buffer
        while outlet.isActive, let value = kept.pop() {
          outlet.pass(value, from: source)
        }
      }
    }
    admit(.passRetained(one))
  }
}

extension ReplaySubject: HubOwner {
  var untypedHub: HubBase { hub }
}
