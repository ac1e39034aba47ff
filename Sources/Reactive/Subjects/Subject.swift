public import ReactiveTrace

/// A signal that is sent to by hand: the bridge from code that is not reactive.
///
/// Hot: what is sent while nobody listens is gone. Values may be sent from any thread; all subscribers
/// see them in one order, and a value sent while another is being handled waits for it (contract rule
/// 3). Whoever subscribes after the end gets the terminal event at once. When the subject is released,
/// its subscriptions end without an event (contract rule 11): they do not keep it alive.
public final class Subject<Value: Sendable, Failure: Error>: EventHub {
  @usableFromInline let hub: Hub<Value, Failure>
  /// What is sent.
  ///
  /// It refers to the list of subscribers, not to the subject.
  public let signal: Signal<Value, Failure>

  ///
  /// - Parameters:
  ///   - name: What the signal is called in logs and traces.
  ///   - backlog: What becomes of those who send when more is sent than is handled.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @inlinable
  public init(
    _ name: String? = nil,
    backlog: Backlog = .limited,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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
      if kind == .untold {
        hub.addTraced(in: consume scope, trace, next: consume next)
      } else {
        hub.add(in: consume scope, next: consume next)
      }
    }
    hub.id = signal.node.id
  }

  /// A subject that disposes of something when it ends, or is released: of what feeds it.
  ///
  /// ```swift
  /// let keys = Subject<Key, Never>(disposing: terminal.onKey { … })
  /// ```
  ///
  /// That happens once, before the subscribers are told (contract rule 6).
  ///
  /// - Parameters:
  ///   - name: What the signal is called in logs and traces.
  ///   - resource: Disposed of at the end.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init(
    _ name: String? = nil,
    disposing resource: any Disposable,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(name, file: file, line: line, column: column)
    let end = UpstreamScope<Failure> { _ in resource.dispose() }
    hub.discount(end)
    hub.add(Sink(end, nil, nil) { _ in })
  }

  // What it ends may have held another subject, and so on.
  deinit { Nest.run { [hub] in hub.sourceGone() } }

  /// Whether somebody is subscribed now.
  ///
  /// What is forwarded to the subject does not count. Other threads may subscribe, or end what they have, while it is read:
  /// so it may save work that nobody would see, and must decide nothing else. O(1).
  public var hasObservers: Bool { hub.hasObservers }

  /// Sends a value to everyone who is subscribed now.
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

extension Subject where Value == Void {
  /// Sends the value there is.
  @inlinable
  public func send() { send(()) }
}

extension Subject: Watched {
  var observed: HubBase { hub }
}
