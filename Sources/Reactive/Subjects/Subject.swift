public import TraceFormat

/// An object to which code sends events explicitly, as the source of a signal: the bridge from code
/// that is not reactive.
///
/// Its signal is hot: what is sent while there is no subscriber is lost. Values may be sent from
/// any thread; all subscribers receive them in the same order, and a value sent while another is
/// being handled waits for it (<doc:EventContract>, rule 3). A subscriber that comes after the end
/// gets the terminal event at once. Subscriptions do not keep the subject alive: when the subject
/// is released, its subscriptions end without an event (rule 11).
public final class Subject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let hub: Hub<Value, Failure>
  /// The events that are sent to the subject.
  ///
  /// The signal refers to the list of subscribers, not to the subject.
  public let signal: Signal<Value, Failure>

  /// Creates a subject without subscribers.
  ///
  /// - Parameters:
  ///   - name: The name of the signal in logs and traces.
  ///   - backlog: What happens to threads that send faster than the subscribers handle the values.
  @inlinable
  public init(
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let hub = Hub<Value, Failure>()
    hub.gate.limit(backlog)
    self.hub = hub
    signal = Signal(
      direct: Site("Subject", file, line, column, [.hot, .endless, .subject]),
      argument: .none,
      name: name,
      recordsOwnEvents: true
    ) { _, scope, trace, next, kind in
      if kind == .selfTracing {
        hub.addTraced(in: consume scope, trace, next: consume next)
      } else {
        hub.add(in: consume scope, next: consume next)
      }
    }
    hub.id = signal.node.id
  }

  /// Creates a subject that disposes of a resource, such as its source, when it ends or is
  /// released.
  ///
  /// ```swift
  /// let keys = Subject<Key, Never>(disposing: terminal.onKey { … })
  /// ```
  ///
  /// The resource is disposed of once, before the subscribers are notified (contract rule 6).
  ///
  /// - Parameters:
  ///   - name: The name of the signal in logs and traces.
  ///   - resource: Disposed of at the end.
  public convenience init(
    _ name: String? = nil,
    disposing resource: any Disposable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(name, file: file, line: line, column: column)
    let end = UpstreamScope<Failure> { _ in resource.dispose() }
    hub.excludeFromObservers(end)
    hub.add(Sink(end, nil, nil) { _ in })
  }

  // Ending a subscription may release another subject, whose end releases a third, and so on.
  deinit { NestingLimit.run { [hub] in hub.sourceGone() } }

  /// Whether there are subscribers now.
  ///
  /// A signal that is forwarded to the subject does not count as a subscriber. Other threads may
  /// subscribe, or end their subscriptions, while this property is read, so use it only to avoid
  /// work whose result nobody would receive. O(1).
  public var hasObservers: Bool { hub.hasObservers }

  /// Sends a value to all current subscribers.
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

extension Subject where Value == Void {
  /// Sends the value `()`.
  @inlinable
  public func send() { send(()) }
}

extension Subject: HubOwner {
  var untypedHub: HubBase { hub }
}
