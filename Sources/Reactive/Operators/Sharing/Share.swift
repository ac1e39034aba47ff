import TraceFormat

/// How long `share` keeps values.
public enum ShareScope: Sendable {
  /// For as long as there is a subscriber.
  ///
  /// A subscriber that arrives after the source has ended, or after the last subscriber has ended,
  /// gets no kept values, and subscribes to the source again.
  case whileConnected
  /// For as long as the signal exists.
  ///
  /// A subscriber that arrives after the last subscriber has ended gets the kept values, and
  /// subscribes to the source again. A subscriber that arrives after the source has ended gets the
  /// kept values and then the terminal event, if there was one.
  case forever
}

extension Signal {
  /// Shares one subscription to this signal among all simultaneous subscribers.
  ///
  /// ```
  /// source          -1-2-3-
  /// first           -1-2-3-
  /// second            (1)2-3-         with replay: 1
  /// ```
  ///
  /// The shared subscription is made for the first subscriber, and disposed of when the last
  /// subscriber has ended. A subscriber that subscribes again from inside its own terminal event
  /// subscribes to the source again, so that `retry` and `repeat` work after `share` (but not with
  /// the scope ``ShareScope/forever``). No thread waits for another: a subscriber that arrives
  /// while the last subscriber is ending makes a new subscription to the source, possibly before
  /// the old subscription has been disposed of.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for later subscribers; by default none.
  ///   - scope: How long these values are kept.
  /// - Returns: A signal that shares one subscription to this one among simultaneous subscribers.
  public func share(
    replay capacity: Int = 0,
    scope: ShareScope = .whileConnected,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    shared(
      ReplayPolicy(capacity),
      scope,
      Site("share", file, line, column, [.passes, .shares, .refCounted])
    )
  }

  /// Shares one subscription to this signal among all simultaneous subscribers, and keeps values
  /// for later subscribers, for a limited time.
  ///
  /// ```
  /// source          -1-2-3-
  /// first           -1-2-3-
  /// second              (2)3-         subscribes at 4; lasting: 2, so 1 is too old
  /// ```
  ///
  /// In all other respects, this operator works like ``share(replay:scope:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for later subscribers.
  ///   - duration: How long each value is kept; see
  ///     ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Provides the current time; no work is scheduled on it.
  ///   - scope: Whether values are still kept while there is no subscriber.
  /// - Returns: A signal that shares one subscription to this one among simultaneous subscribers.
  public func share(
    replay capacity: Int,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    scope: ShareScope = .whileConnected,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    return shared(
      policy, scope, Site("share", file, line, column, [.passes, .shares, .refCounted])
    )
  }

  /// Shares one subscription to this signal among all simultaneous subscribers, each of which gets
  /// all events of the shared subscription, including earlier events.
  ///
  /// ```
  /// source             -1-2-3-
  /// first              -1-2-3-
  /// second                 (12)3-
  /// ```
  ///
  /// Works like ``share(replay:scope:file:line:column:)`` with an unlimited capacity and the scope
  /// ``ShareScope/whileConnected``.
  ///
  /// - Returns: A signal that shares one subscription to this one among simultaneous subscribers.
  public func shareWhileActive(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("shareWhileActive", file, line, column, [.passes, .shares, .refCounted])
    return shared(ReplayPolicy(.max), .whileConnected, site, argument: Argument.none)
  }

  private func shared(
    _ policy: ReplayPolicy,
    _ scope: ShareScope,
    _ site: Site,
    argument: Argument? = nil
  ) -> Signal {
    precondition(
      policy.capacity >= 0,
      "share(replay: \(policy.capacity)): the capacity must be ≥ 0 (OperatorIndex, share)"
    )
    let stage = ShareStage<Value, Failure>(policy, scope, site)
    let scopeToTell = scope == .forever ? "scope: .forever" : nil
    let argument =
      argument
      ?? (policy.capacity == 0
        ? .written { scopeToTell ?? "" }
        : policy.argument("replay: ", isOptional: false, scopeToTell))
    let signal = Signal(site, .one(self), argument: argument) { [self] in stage.add($0, to: self) }
    stage.id = signal.node.id
    return signal
  }
}

/// The subscribers of a shared signal, and the one subscription to the source that they share (a
/// *run*).
///
/// Subscriptions retain this object, and a subscription must not retain signals. So this object
/// must not retain signals either.
///
/// This class is `@unchecked Sendable` because of `id`, which is set once, before `share` returns
/// the signal.
private final class ShareStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private struct State: Sendable {
    var run: SharedRun<Value, Failure>?
    var runNumber = 0
    var subscribers = 0
    var isOver = false
  }

  private let policy: ReplayPolicy
  private let site: Site
  /// The hub (the list of subscribers, with the kept values) that all runs use, if values are kept
  /// forever; otherwise nil, and each run has its own hub.
  private let kept: Hub<Value, Failure>?
  private let state = Locked(State())
  @exclusivity(unchecked) var id = TraceID.none {
    didSet { kept?.id = id }
  }

  init(_ policy: ReplayPolicy, _ scope: ShareScope, _ site: Site) {
    self.policy = policy
    self.site = site
    kept = scope == .forever ? policy.makeHub() : nil
  }

  func add(_ down: Sink<Value, Failure>, to source: Signal<Value, Failure>) {
    let (run, number, isFirst) = join()
    down.scope.own(ActionTeardown { [self] in leave(number) })
    run.add(down)
    if isFirst { run.connect(to: source) }
  }

  private func join() -> (run: SharedRun<Value, Failure>, number: Int, isFirst: Bool) {
    state.withLock { state in
      if let run = state.run {
        state.subscribers += 1
        return (run, state.runNumber, false)
      }
      state.runNumber += 1
      let run = makeRun(state.runNumber)
      if state.isOver { return (run, state.runNumber, false) }
      state.run = run
      state.subscribers = 1
      return (run, state.runNumber, true)
    }
  }

  private func makeRun(_ number: Int) -> SharedRun<Value, Failure> {
    let hub = kept ?? newHub()
    return SharedRun(hub, site) { [self] end in
      // If a newer run uses the same hub, all subscribers of this run have left.
      if ended(number) || kept == nil { hub.end(end) }
    }
  }

  private func newHub() -> Hub<Value, Failure> {
    let hub: Hub<Value, Failure> = policy.makeHub()
    hub.id = id
    return hub
  }

  /// Records that a subscriber has ended; if it was the last subscriber, disposes of the run.
  private func leave(_ number: Int) {
    let last = state.withLock { state -> SharedRun<Value, Failure>? in
      guard state.runNumber == number, let run = state.run else { return nil }
      state.subscribers -= 1
      if state.subscribers > 0 { return nil }
      state.run = nil
      return run
    }
    last?.scope.dispose()
  }

  /// Records that the source of a run has ended, so that later subscribers do not join the run;
  /// returns whether it is the latest run.
  private func ended(_ number: Int) -> Bool {
    let (run, isLatest) = state.withLock { state -> (SharedRun<Value, Failure>?, Bool) in
      guard state.runNumber == number else { return (nil, false) }
      defer { state.run = nil }
      state.isOver = kept != nil
      return (state.run, true)
    }
    withExtendedLifetime(run) {}
    return isLatest
  }
}
