import ReactiveTrace
import Synchronization

/// One subscription of a signal, shared by everyone who subscribes to ``signal``.
///
/// The connection is held by the subscription it makes, not the other way round: dropping it does not
/// end it. Subscribers come and go without any effect on it.
public final class Connection<Value: Sendable, Failure: Error>: Sendable {
  /// What the source sends from ``connect()`` on.
  public let signal: Signal<Value, Failure>

  private let source: Signal<Value, Failure>
  private let hub: Hub<Value, Failure>
  private let scope: Scope<Failure>
  private let isConnected = Atomic<Bool>(false)
  private let site: Site

  init(_ source: Signal<Value, Failure>, capacity: Int, _ site: Site) {
    let hub = Hub<Value, Failure>(capacity: capacity)
    self.source = source
    self.hub = hub
    self.site = site
    signal = Signal(site, .one(source), argument: .none) { down in
      if capacity > 0 { hub.addReplaying(down) } else { hub.add(down) }
    }
    scope = Scope { hub.end($0) }
    hub.id = signal.node.id
    scope.own(ConnectionTeardown(hub))
  }

  // Never connected, nothing will ever be sent.
  deinit { if !isConnected.load(ordering: .acquiring) { hub.end(.sourceGone) } }

  /// Subscribes to the source, at the first call; later calls change nothing, also after the end.
  ///
  /// - Returns: Ends the shared subscription; the same one at each call.
  @discardableResult
  public func connect() -> any Disposable {
    if isConnected.exchange(true, ordering: .acquiringAndReleasing) { return scope }
    let hub = hub
    guard Tracer.isOn else {
      source.attach(Sink(scope, nil, nil) { hub.send($0) })
      return scope
    }
    let id = Tracer.subscribed(
      site: site.traceNumber,
      signal: signal.node.id,
      downstream: .none
    )
    let trace = id == .none ? nil : SubscriptionTrace(id)
    if let trace { scope.own(trace) }
    source.attach(
      Sink(scope, trace, nil) { value in
        if let trace { Tracer.next(trace.id) }
        hub.send(value)
      }
    )
    return scope
  }
}

/// Tells the subscribers of a connection that was cut: nothing will be sent any more.
///
/// An end by an event reaches them through the scope.
private final class ConnectionTeardown: Teardown, @unchecked Sendable {
  private let hub: HubBase
  init(_ hub: HubBase) { self.hub = hub }

  override func teardown(_ ending: Ending) {
    switch ending.reason {
    case .completed, .failed: break
    case .cancelled, .ownerGone, .sourceGone: hub.sourceGone()
    }
  }
}

extension Signal {
  /// A connection that shares one subscription of this signal; nothing is subscribed to before
  /// ``Connection/connect()``.
  ///
  /// Late subscribers miss what was sent before, and get the end.
  public func publish(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(self, capacity: 0, Site("publish", file, line, column))
  }

  /// Subscribes to this signal at once, one time, and sends everything it sent to each subscriber.
  ///
  /// The shared subscription lasts until the source ends; nobody can dispose of it. For one that can be
  /// ended use ``multicast(capacity:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for late subscribers; by default all.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that starts with what was sent before.
  public func replay(
    _ capacity: Int = .max,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let connection = Connection(self, capacity: capacity, Site("replay", file, line, column))
    connection.connect()
    return connection.signal
  }

  /// A connection whose signal keeps the latest values for late subscribers.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    capacity: Int,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(self, capacity: capacity, Site("multicast", file, line, column))
  }
}
