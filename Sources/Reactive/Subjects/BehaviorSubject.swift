public import ReactiveTrace

/// A subject that has a value at any time, and sends it to each new subscriber first.
///
/// ```
/// sent           -1-2-|
/// early          01-2-|     (0 from the start)
/// late             (1)2-|
/// ```
///
/// Setting the value takes effect at once, on any thread: whoever reads ``value`` sees it, also from
/// inside a delivery. Only telling the subscribers waits for its turn (contract rule 3). A new
/// subscriber gets the value there is, then everything set after it, once and in order.
///
/// After the end the value stays, and whoever subscribes then gets it and the end. (RxSwift and Combine
/// send the end alone.) When the subject is released, its subscriptions end without an event.
public final class BehaviorSubject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let current: CurrentValue<Value, Failure>
  /// The value, then what it is set to.
  ///
  /// It refers to the value and the list of subscribers, not to the subject.
  public let signal: Signal<Value, Failure>

  /// A subject with a first value.
  ///
  /// - Parameters:
  ///   - value: What the first subscribers get.
  ///   - name: What the signal is called in logs and traces.
  ///   - backlog: What becomes of those who send when more is sent than is handled.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @inlinable
  public init(
    _ value: Value,
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let current = CurrentValue<Value, Failure>(value)
    current.hub.gate.limit(backlog)
    self.current = current
    signal = Signal(
      Site("BehaviorSubject", file, line, column, [.hot, .endless, .replays, .subject]),
      argument: .closure,
      name: name
    ) { current.add($0) }
    current.hub.id = signal.node.id
  }

  // What it ends may have held another subject, and so on.
  deinit { Nest.run { [current] in current.end(.sourceGone) } }

  /// Whether somebody is subscribed now.
  ///
  /// What is forwarded to the subject does not count. Other threads may subscribe, or end what they have, while it is read:
  /// so it may save work that nobody would see, and must decide nothing else. O(1).
  public var hasObservers: Bool { current.hub.hasObservers }

  /// The latest value.
  ///
  /// Setting it is the same as sending; after the end it does nothing.
  @inlinable public var value: Value {
    get { current.value }
    set { current.set(newValue) }
  }

  /// Sets the value and tells everyone who is subscribed.
  @inlinable
  public func send(_ value: Value) { current.set(value) }

  /// Ends all subscriptions, present and future, with a failure.
  ///
  /// The value cannot be set any more.
  @inlinable
  public func fail(_ error: Failure) { current.end(.failed(error)) }

  /// Ends all subscriptions, present and future, in order.
  ///
  /// The value cannot be set any more.
  @inlinable
  public func complete() { current.end(.completed) }
}

extension BehaviorSubject: Watched {
  var observed: HubBase { current.hub }
}
