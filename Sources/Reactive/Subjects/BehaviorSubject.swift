public import TraceFormat

/// A subject that has a value at any time, and sends it to each new subscriber first.
///
/// ```
/// sent           -1-2-|
/// early          01-2-|     (0 from the start)
/// late             (1)2-|
/// ```
///
/// Setting the value takes effect at once, on any thread: any reader of ``value`` sees the new
/// value, even from inside a delivery. Only the notification of the subscribers waits until earlier
/// deliveries have returned (<doc:EventContract>, rule 3). A new subscriber gets the current value,
/// then everything set after it, once and in order.
///
/// After the end the value is kept, and later subscribers get the value and the end. (RxSwift and
/// Combine send only the end.) When the subject is released, its subscriptions end without an
/// event.
public final class BehaviorSubject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let current: CurrentValue<Value, Failure>
  /// The current value, then each value that is set.
  ///
  /// The signal retains the value and the list of subscribers, but not the subject.
  public let signal: Signal<Value, Failure>

  /// Creates a subject with a first value.
  ///
  /// - Parameters:
  ///   - value: The value that the first subscribers get.
  ///   - name: The name of the signal in logs and traces.
  ///   - backlog: What happens to threads that send faster than the subscribers handle the values.
  @inlinable
  public init(
    _ value: Value,
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

  // Ending a subscription may release another subject, whose end releases a third, and so on.
  deinit { NestingLimit.run { [current] in current.end(.sourceGone) } }

  /// Whether there are subscribers now.
  ///
  /// A signal that is forwarded to the subject does not count as a subscriber. Other threads may
  /// subscribe, or end their subscriptions, while this property is read, so use it only to avoid
  /// work whose result nobody would receive. O(1).
  public var hasObservers: Bool { current.hub.hasObservers }

  /// The latest value.
  ///
  /// Setting it is the same as sending; after the end it has no effect.
  @inlinable public var value: Value {
    get { current.value }
    set { current.set(newValue) }
  }

  /// Sets the value and notifies all subscribers.
  @inlinable
  public func send(_ value: Value) { current.set(value) }

  /// Ends all subscriptions, present and future, with a failure.
  ///
  /// The value cannot be set any more.
  @inlinable
  public func fail(_ error: Failure) { current.end(.failed(error)) }

  /// Completes all subscriptions, present and future.
  ///
  /// The value cannot be set any more.
  @inlinable
  public func complete() { current.end(.completed) }
}

extension BehaviorSubject: HubOwner {
  var untypedHub: HubBase { current.hub }
}
