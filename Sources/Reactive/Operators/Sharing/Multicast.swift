import TraceFormat

/// One subscription to a signal, shared by all subscribers of ``signal``.
///
/// The shared subscription is retained by its source, and not by this object: releasing the
/// connection does not end the shared subscription. Subscribers that come and go have no effect on
/// it either.
public final class Connection<Value: Sendable, Failure: Error>: Sendable {
  /// The events of the source from ``connect()`` on; with `multicast(_:)`, those of the subject.
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

  /// Creates a connection for an operator that another package defines.
  ///
  /// - Parameters:
  ///   - source: The signal that is subscribed to.
  ///   - site: The name, call site and traits of the operator. Its traits must include `shares`,
  ///     and also `replays` if values are kept.
  ///   - capacity: The number of latest values that are kept for late subscribers.
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
    // If the source can no longer send, the subject does not end, because others may still send to
    // it.
    let forwarding = UpstreamScope<Failure> { end in
      switch end {
      case .completed: subject.complete()
      case .failed(let error): subject.fail(error)
      case .sourceGone: break
      }
    }
    hub.add(Sink(forwarding, nil, nil) { subject.send($0) })
  }

  // If the connection has never been connected, nothing will ever be sent, so its subscribers end.
  // Their end may release further connections, whose subscribers end in turn, so the nesting is
  // limited.
  deinit { if !run.isConnected { NestingLimit.run { [run] in run.hub.end(.sourceGone) } } }

  /// Subscribes to the source, at the first call; later calls have no effect, even after the end.
  ///
  /// Any thread may call this method, and no thread waits for another: if two threads call it at
  /// the same time, one subscribes, and the other may return before the subscription has been made.
  ///
  /// - Returns: A disposable that ends the shared subscription; each call returns the same
  ///   disposable.
  @discardableResult
  public func connect() -> any Disposable {
    run.connect(to: source)
    return run.scope
  }
}

/// Ends the subscribers when the shared subscription has been disposed of or has ended without an
/// event.
///
/// A terminal event reaches the subscribers in another way: through the closure `onEnd` with which
/// the shared subscription was made.
private final class ConnectionTeardown: Teardown, @unchecked Sendable {
  // This class is `@unchecked Sendable` because its superclass `Teardown` is; `hub` is constant.
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
  /// Makes a connection that shares one subscription to this signal; ``Connection/connect()`` makes
  /// that subscription.
  ///
  /// ```
  /// source    -1-2-3-|     subscribed to by connect()
  /// late        -2-3-|
  /// ```
  ///
  /// Late subscribers miss the values that were sent before. If the shared subscription has already
  /// ended, they get only the end.
  ///
  /// - Returns: A connection that has not subscribed yet.
  public func publish(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(
      self,
      replaying: ReplayPolicy(0),
      Site("publish", file, line, column, [.passes, .shares])
    )
  }

  /// Makes a connection whose signal keeps the latest values for late subscribers.
  ///
  /// ```
  /// source    -1-2-3-|       subscribed to by connect()
  /// late        (1)2-3-|      with a capacity of 1
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    capacity: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Connection<Value, Failure> {
    let policy = ReplayPolicy(capacity)
    return multicast(
      policy,
      Site("multicast", file, line, column, [.passes, .shares, policy.replayingTraits])
    )
  }

  /// Makes a connection whose signal keeps values for late subscribers, limited by age and number.
  ///
  /// ```
  /// source    -1-2-3-|       subscribed to by connect()
  /// late          (2)3-|     subscribes at 4; lasting: 2, so 1 is too old
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept at most; by default, only their age is limited.
  ///   - duration: How long each value is kept; see
  ///     ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Provides the current time; no work is scheduled on it.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Connection<Value, Failure> {
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    return multicast(
      policy,
      Site("multicast", file, line, column, [.passes, .shares, policy.replayingTraits]),
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
      "multicast(capacity: \(policy.capacity)): the capacity must be ≥ 0 (OperatorIndex, multicast)"
    )
    let argument = policy.argument("capacity: ", isOptional: isOptional)
    return Connection(self, replaying: policy, site, argument: argument)
  }

  /// Makes a connection that shares one subscription to this signal through a subject, which
  /// decides what late subscribers get.
  ///
  /// ```
  /// source    -1-2-3-|        subscribed to by connect()
  /// late        -2-3-|        through a Subject
  /// late        (1)2-3-|      through a BehaviorSubject or a ReplaySubject
  /// late        -----(3|)     through an AsyncSubject
  /// ```
  ///
  /// This method corresponds to `multicast` of ReactiveCocoa and RxSwift. The subject gets the
  /// events of the source, including its end, and the connection's signal sends everything that is
  /// sent to the subject, by the source or by others. The connection and the shared subscription
  /// retain the subject. When the shared subscription is disposed of, or the source can no longer
  /// send, the subject does not end: the subject's subscribers remain subscribed for as long as
  /// something else retains the subject. If others end the subject, the source continues to run
  /// without effect until it ends or the shared subscription is disposed of.
  ///
  /// - Parameters:
  ///   - subject: The subject for the events; use it for one connection only.
  /// - Returns: A connection that has not subscribed yet.
  public func multicast(
    _ subject: some EventHub<Value, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(self, through: subject, Site("multicast", file, line, column, [.passes, .shares]))
  }
}
