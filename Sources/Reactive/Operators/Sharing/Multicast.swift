import TraceFormat

/// One subscription to a signal, shared by all subscribers of ``signal``.
///
/// Once connected, the shared subscription is held by its source, and not by this object: dropping
/// the connection does not end it. Subscribers that come and go have no effect on it.
public final class Connection<Value: Sendable, Failure: Error>: Sendable {
  /// The events of the source from ``connect()`` on.
  public let signal: Signal<Value, Failure>

  let run: SharedRun<Value, Failure>
  private let source: Signal<Value, Failure>

  init(
    _ source: Signal<Value, Failure>,
    replaying policy: ReplayPolicy,
    _ site: Site,
    argument: Argument = .none
  ) {
    let hub: Hub<Value, Failure> = policy.makeHub()
    let run = SharedRun(hub, site) { hub.end($0) }
    self.run = run
    self.source = source
    signal = Signal(site, .one(source), argument: argument) { [hub] down in
      if hub.capacity > 0 { hub.addReplaying(down) } else { hub.add(down) }
    }
    hub.id = signal.node.id
    run.scope.own(ConnectionTeardown(hub))
  }

  /// A connection with its own name and site, for packages that define operators.
  ///
  /// - Parameters:
  ///   - source: The signal that is subscribed to.
  ///   - site: Name, place and traits: `shares`, and `replays` if values are kept.
  ///   - capacity: How many of the latest values late subscribers get.
  public convenience init(
    of source: Signal<Value, Failure>,
    _ site: Site,
    keeping capacity: Int = 0
  ) {
    self.init(source, replaying: ReplayPolicy(capacity), site)
  }

  /// A connection whose events go through a subject that the program provides.
  init(
    _ source: Signal<Value, Failure>,
    through subject: some EventHub<Value, Failure>,
    _ site: Site
  ) {
    let hub = Hub<Value, Failure>(capacity: 0)
    let run = SharedRun(hub, site) { hub.end($0) }
    self.run = run
    self.source = source
    let sent = subject.signal
    signal = Signal(site, .many([source, sent]), argument: .none) { sent.attach($0) }
    hub.id = signal.node.id
    run.scope.own(ConnectionTeardown(hub))
    // If the source is gone, the subject does not end: it lives for as long as its other senders
    // hold it.
    let forwarding = UpstreamScope<Failure> { end in
      switch end {
      case .completed: subject.complete()
      case .failed(let error): subject.fail(error)
      case .sourceGone: break
      }
    }
    hub.add(Sink(forwarding, nil, nil) { subject.send($0) })
  }

  // If it was never connected, nothing will ever be sent. The subscriptions that this ends may hold
  // other connections, and so on.
  deinit { if !run.isConnected { NestingLimit.run { [run] in run.hub.end(.sourceGone) } } }

  /// Subscribes to the source, at the first call; later calls change nothing, even after the end.
  ///
  /// Any thread may call it, and none waits for another: if two call it at the same time, one
  /// subscribes, and the other may return before the subscription has been made.
  ///
  /// - Returns: A disposable that ends the shared subscription; the same one at each call.
  @discardableResult
  public func connect() -> any Disposable {
    run.connect(to: source)
    return run.scope
  }
}

/// Notifies the subscribers of a disposed connection: nothing will be sent any more.
///
/// An end with an event reaches them through the scope.
private final class ConnectionTeardown: Teardown, @unchecked Sendable {
  // Unchecked as `Teardown` is; this is constant.
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
  /// ```
  /// source    -1-2-3-|     subscribed to by connect()
  /// late         -2-3-|
  /// ```
  ///
  /// Late subscribers miss what was sent before, and get the end.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A connection that has not subscribed yet.
  public func publish(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(
      self,
      replaying: ReplayPolicy(0),
      Site("publish", file, line, column, [.passes, .shares])
    )
  }

  /// A connection whose signal keeps the latest values for late subscribers.
  ///
  /// ```
  /// source    -1-2-3-|       subscribed to by connect()
  /// late         (1)2-3-|     with a capacity of 1
  /// ```
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
    multicast(ReplayPolicy(capacity), Site("multicast", file, line, column, [.passes, .shares]))
  }

  /// A connection whose signal keeps values for a limited time, and at most a given number, for
  /// late subscribers.
  ///
  /// ```
  /// source    -1-2-3-|       subscribed to by connect()
  /// late         (2)3-|      kept for 2, at 3: the first is too old
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept; by default all within that time.
  ///   - duration: How long each is kept; see
  ///     ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Provides the time; nothing runs there.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Connection<Value, Failure> {
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    return multicast(
      policy,
      Site("multicast", file, line, column, [.passes, .shares]),
      isOptional: true
    )
  }

  private func multicast(
    _ policy: ReplayPolicy,
    _ site: Site,
    isOptional: Bool = false
  ) -> Connection<Value, Failure> {
    precondition(
      policy.capacity >= 0,
      "multicast(capacity: \(policy.capacity)): it must be ≥ 0 (OperatorIndex, multicast)"
    )
    let argument = policy.argument("capacity: ", isOptional: isOptional)
    return Connection(self, replaying: policy, site, argument: argument)
  }

  /// A connection that shares one subscription of this signal through a subject, which decides what
  /// late subscribers get.
  ///
  /// ```
  /// source    -1-2-3-|        subscribed to by connect()
  /// late         -2-3-|       through a Subject
  /// late         (1)2-3-|     through a BehaviorSubject or a ReplaySubject
  /// late         -----(3|)    through an AsyncSubject
  /// ```
  ///
  /// This is `multicast` of ReactiveCocoa and RxSwift. The subject gets the events of the source,
  /// including its end, and the connection's signal sends everything that is sent to the subject,
  /// by others as well. The subject is held by the connection, and by the shared subscription. When
  /// the shared subscription is disposed of, or the source can no longer send, the subject does not
  /// end: its subscribers stay for as long as something else holds it. If the subject has ended,
  /// the source continues to run without effect, until the connection is disposed of.
  ///
  /// - Parameters:
  ///   - subject: The subject for the events; use it for one connection only.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    _ subject: some EventHub<Value, Failure>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(self, through: subject, Site("multicast", file, line, column, [.passes, .shares]))
  }
}
