import TraceFormat

/// A subject that sends only the last value it was given, and only when it completes.
///
/// ```
/// sent           -1-2-3-|
/// early          -------(3|)
/// late                    (3|)
/// ```
///
/// Subscribers that come after completion get the value and the end too. A failure sends no value,
/// and neither does completion if no value was sent. When the subject is released before it has
/// completed, its subscriptions end without an event.
public final class AsyncSubject<Value: Sendable, Failure: Error>: EventHub {
  private struct State: Sendable {
    var last: Value?
    var isOver = false
  }

  private let state = Locked(State())
  private let hub: Hub<Value, Failure>
  /// The last value and the end.
  ///
  /// The signal refers to the list of subscribers, not to the subject.
  public let signal: Signal<Value, Failure>

  /// Creates a subject without a value.
  ///
  /// - Parameters:
  ///   - name: The name of the signal in logs and traces.
  public init(
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let hub = Hub<Value, Failure>(capacity: 1)
    self.hub = hub
    signal = Signal(
      Site("AsyncSubject", file, line, column, [.hot, .endless, .replays, .subject]),
      argument: .none,
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

  /// Keeps a value, and drops the previous one.
  public func send(_ value: Value) {
    // The old value is released outside the lock.
    _ = state.withLock { state -> Value? in
      if state.isOver { return nil }
      defer { state.last = value }
      return state.last
    }
  }

  /// Ends all subscriptions, present and future, with a failure; the last value is dropped.
  public func fail(_ error: Failure) {
    if over() != nil { hub.end(.failed(error)) }
  }

  /// Sends the last value, if there is one, and completes.
  public func complete() {
    guard let last = over() else { return }
    if let last { hub.send(last) }
    hub.end(.completed)
  }

  /// Ends the subject.
  ///
  /// The first call returns the last value, or `.some(nil)` if no value was sent; later calls
  /// return nil.
  private func over() -> Value?? {
    state.withLock { state -> Value?? in
      if state.isOver { return nil }
      defer { state.last = nil }
      state.isOver = true
      return .some(state.last)
    }
  }
}

extension AsyncSubject: HubOwner {
  var untypedHub: HubBase { hub }
}
