import ReactiveTrace

/// How long what `share` has kept is remembered.
public enum ShareScope: Sendable {
  /// As long as somebody is subscribed.
  ///
  /// Whoever comes after the source has ended, or after the last has left, starts it anew, with
  /// nothing kept.
  case whileConnected
  /// For as long as the signal exists.
  ///
  /// Whoever comes after the last has left gets what was kept, and starts the source anew; whoever
  /// comes after the source has ended gets what was kept, and the end.
  case forever
}

extension Signal {
  /// Shares one subscription of this signal among those who are subscribed at the same time.
  ///
  /// ```
  /// source          -1-2-3-
  /// first           -1-2-3-
  /// second            (1)2-3-         with replay: 1
  /// ```
  ///
  /// It is made when the first subscribes, and disposed of when the last has left. A subscriber that
  /// subscribes again from inside its own terminal event starts the source anew, so that `retry` and
  /// `repeat` behind `share` work. No thread waits for another: who comes while the last one leaves
  /// starts the source anew, possibly before it has been disposed of.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for those who come later; by default none.
  ///   - scope: How long they are kept.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that is subscribed to this one at most once at a time.
  public func share(
    replay capacity: Int = 0,
    scope: ShareScope = .whileConnected,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    shared(
      Keeping(capacity),
      scope,
      Site("share", file, line, column, [.passes, .shares, .refCounted])
    )
  }

  /// Shares one subscription of this signal among those who are subscribed at the same time, and keeps values for a time
  /// for those who come later.
  ///
  /// ```
  /// source          -1-2-3-
  /// first           -1-2-3-
  /// second             (2)3-         with replay: 5, kept for 2, at 3: the first is too old
  /// ```
  ///
  /// As ``share(replay:scope:file:line:column:)`` otherwise.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for those who come later.
  ///   - duration: How long each is kept; see ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Whose time it is; nothing runs there.
  ///   - scope: How long they are remembered while nobody is subscribed.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that is subscribed to this one at most once at a time.
  public func share(
    replay capacity: Int,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    scope: ShareScope = .whileConnected,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let keeping = Keeping(capacity, lasting: duration, on: scheduler)
    return shared(
      keeping,
      scope,
      Site("share", file, line, column, [.passes, .shares, .refCounted])
    )
  }

  /// Shares one subscription of this signal among those who are subscribed at the same time, each of
  /// whom gets everything it has sent.
  ///
  /// ```
  /// source             -1-2-3-
  /// first              -1-2-3-
  /// second                (12)3-
  /// ```
  ///
  /// As ``share(replay:scope:file:line:column:)`` that keeps all values while it is connected.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that is subscribed to this one at most once at a time.
  public func shareWhileActive(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("shareWhileActive", file, line, column, [.passes, .shares, .refCounted])
    return shared(Keeping(.max), .whileConnected, site, argument: Argument.none)
  }

  private func shared(
    _ keeping: Keeping,
    _ scope: ShareScope,
    _ site: Site,
    argument: Argument? = nil
  ) -> Signal {
    precondition(
      keeping.capacity >= 0,
      "share(replay: \(keeping.capacity)): the capacity must be ≥ 0 (OperatorIndex, share)"
    )
    let stage = ShareStage<Value, Failure>(keeping, scope, site)
    let scopeToTell = scope == .forever ? "scope: .forever" : nil
    let argument =
      argument
      ?? (keeping.capacity == 0
        ? .written { scopeToTell ?? "" }
        : keeping.argument("replay: ", isOptional: false, scopeToTell))
    let signal = Signal(site, .one(self), argument: argument) { [self] in stage.add($0, to: self) }
    stage.id = signal.node.id
    return signal
  }
}

/// Who is subscribed to a shared signal, and the run they share.
///
/// Subscribers hold it, so that it holds no signal.
///
/// Unchecked for `id`, which is set once, before the signal is shared.
private final class ShareStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private struct State: Sendable {
    var run: SharedRun<Value, Failure>?
    var runNumber = 0
    var subscribers = 0
    var isOver = false
  }

  private let keeping: Keeping
  private let site: Site
  /// What all runs share, where their values are kept for ever.
  private let kept: Hub<Value, Failure>?
  private let state = Locked(State())
  @exclusivity(unchecked) var id = TraceID.none {
    didSet { kept?.id = id }
  }

  init(_ keeping: Keeping, _ scope: ShareScope, _ site: Site) {
    self.keeping = keeping
    self.site = site
    kept = scope == .forever ? keeping.makeHub() : nil
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
      ended(number)
      hub.end(end)
    }
  }

  private func newHub() -> Hub<Value, Failure> {
    let hub: Hub<Value, Failure> = keeping.makeHub()
    hub.id = id
    return hub
  }

  /// The last to leave ends the run.
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

  /// The source has ended: who comes from now on belongs to another run.
  private func ended(_ number: Int) {
    let run = state.withLock { state -> SharedRun<Value, Failure>? in
      guard state.runNumber == number else { return nil }
      defer { state.run = nil }
      state.isOver = kept != nil
      return state.run
    }
    withExtendedLifetime(run) {}
  }
}
