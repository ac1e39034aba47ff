import CReactiveTraceShims
import TraceFormat

/// Runs signals that are nested to any depth and each run one inner signal at a time: for example,
/// a `concatMap` in a `flatMapLatest` in a `concat`.
///
/// One gate, which lets one thread at a time deliver events, serves all these signals. Nesting uses
/// no stack: an inner signal of this kind (``Descending``) becomes one more *level* instead of a
/// nested subscription. A level that only waits for its inner signal to end is removed, so that a
/// recursively defined signal uses no more memory than one level.
///
/// The descent runs in place of one inner signal of another operator. `place` is that inner
/// signal's scope, the object that ends its subscription. `place` ends when the lowest level has
/// ended, and everything in the descent ends with `place`.
final class Descent<Value: Sendable, Failure: Error>: Sendable {
  typealias Level = DescentLevel<Value, Failure>
  typealias Part = DescentPart<Value, Failure>
  typealias Inner = InnerSignal<Value, Failure>

  let place: Scope<Failure>
  let outlet: Outlet<Value, Failure>
  let trace: SubscriptionTrace?
  /// The merge that `place` belongs to; nil if the end of `place` has effects besides being counted
  /// in the merge.
  private let merging: Merging<Value, Failure>?
  private let state = Locked(DescentState<Value, Failure>())

  private init(_ place: Scope<Failure>, of merging: Merging<Value, Failure>, isCounted: Bool) {
    self.place = place
    self.merging = isCounted ? merging : nil
    outlet = merging.outlet
    trace = merging.trace
    // Waiting signals are released when `place` ends.
    place.own(ActionTeardown { [weak self] in self?.release() })
  }

  deinit { release() }

  /// Starts a signal in a part of a merge (the scope of one of its signals), if the signal can be a
  /// level.
  ///
  /// - Parameters:
  ///   - signal: Runs in `place`.
  ///   - place: An active part of `merging`.
  ///   - merging: Forwards the values of the signal.
  ///   - isCounted: Whether the end of `place` has no effect except that `merging` counts it, so
  ///     that the last signal can run in `merging` itself.
  /// - Returns: Whether the signal was started.
  static func begin(
    _ signal: Signal<Value, Failure>,
    in place: Scope<Failure>,
    of merging: Merging<Value, Failure>,
    isCounted: Bool = false
  ) -> Bool {
    guard let first = signal.descending, !first.isCold, mayJoin(upstreamOf: merging.outlet) else {
      return false
    }
    let descent = Descent(place, of: merging, isCounted: isCounted)
    descent.state.withLock { $0.occupy($0.top, .signal(signal), in: descent) }
    descent.pump()
    return true
  }

  /// Whether a signal may start inside the merge or the descent that receives its values, without a
  /// subscription of its own.
  ///
  /// While signals are traced or logged, each signal gets its own subscription, which can be
  /// recorded, unless subscriptions are already nested so deeply that the stack might not suffice.
  static func mayJoin(upstreamOf stage: GatedStage) -> Bool {
    Tracing.mayLeaveOutStages || stage.isDeeplyNested
  }

  // MARK: Events of levels

  /// Makes the scope for the source of a level.
  func source<SourceFailure: Error>(
    of level: Level,
    _ promote: @escaping @Sendable (End<SourceFailure>) -> End<Failure>
  ) -> Scope<SourceFailure> {
    let part = UpstreamScope<SourceFailure>(in: place) { [self] in sourceEnded(promote($0), level) }
    let isLate = state.withLock { _ in
      if !level.isDropped { level.source = part }
      return level.isDropped
    }
    if isLate { place.drop(part) }
    return part
  }

  /// Handles an inner signal that a level receives; `make` is not called if the signal is to be
  /// ignored.
  func receive(at level: Level, _ make: () -> Inner) {
    switch level.policy {
    case .first:
      // The level is reserved first, because `make` must not run for values that are left out.
      let isFree = state.withLock { _ in
        defer { level.isBusy = true }
        return !level.isBusy && !level.isDropped
      }
      guard isFree else { return }
      let inner = make()
      state.withLock { state in
        if !level.isDropped { state.occupy(level, inner, in: self) }
      }
    case .inTurn:
      let inner = make()
      state.withLock { state in
        if level.isDropped { return }
        if level.isBusy {
          level.waiting.push(inner)
        } else {
          state.occupy(level, inner, in: self)
        }
      }
    case .latest:
      let inner = make()
      let dropped = state.withLock { state in
        if level.isDropped { return Dropped<Value, Failure>() }
        defer { state.occupy(level, inner, in: self) }
        return state.drop(above: level)
      }
      dropped.cancel(in: place)
    }
    pump()
  }

  /// Gives all inner signals to a level that has no source.
  func follow(_ signals: [Inner], at level: Level) {
    state.withLock { state in
      if level.isDropped { return }
      for one in signals { level.waiting.push(one) }
      level.isOpen = false
      // There is at least one signal, so `advance` returns `.start`. `pump`, from which this method
      // is called, then starts the signal.
      _ = state.advance(in: self)
    }
  }

  private func sourceEnded(_ end: End<Failure>, _ level: Level) {
    if case .failed = end { return place.end(end) }
    let next = state.withLock { state -> DescentState<Value, Failure>.Next in
      if level.isDropped { return .nothing }
      level.isOpen = false
      level.source = nil
      if case .sourceGone = end { level.isLost = true }
      if level.isBusy {
        state.removeIfPassThrough(level)
        return .nothing
      }
      return state.advance(in: self)
    }
    perform(next)
  }

  /// Handles the end of the running signal.
  func ended(_ part: Part, _ end: End<Failure>) {
    if case .failed = end { return place.end(end) }
    let next = state.withLock { state -> DescentState<Value, Failure>.Next in
      guard state.part === part else { return .nothing }
      state.part = nil
      state.top.isBusy = false
      if case .sourceGone = end { part.isLost = true }
      if part.isLost { state.top.isLost = true }
      return state.advance(in: self)
    }
    perform(next)
  }

  private func perform(_ next: DescentState<Value, Failure>.Next) {
    switch next {
    case .nothing: break
    case .start: pump()
    case .end(let isLost): place.end(isLost ? .sourceGone : .completed)
    }
  }

  /// Whether a value that waited in the gate comes from a signal that has been replaced.
  func isStale(_ part: Part) -> Bool {
    part.wasDropped || state.withLock { _ in part.level.isReplaced(part.number) }
  }

  // MARK: Starting

  /// Starts pending signals in a loop.
  ///
  /// A signal that is being started may send a value that starts another loop. At most 32 loops are
  /// nested in this way.
  private func pump() {
    guard outlet.isPathOpen else { return outlet.whenOpen { self.pump() } }
    guard state.withLock({ $0.enter() }) else { return }
    while let (inner, part) = state.withLock({ $0.next() }) {
      if outlet.isPathOpen {
        start(inner, part)
      } else {
        outlet.whenOpen {
          self.start(inner, part)
          self.pump()
        }
      }
    }
  }

  private func start(_ inner: Inner, _ part: Part) {
    guard place.isActive, part.isActive else { return }
    switch inner {
    case .signal(let signal):
      if let one = signal.descending, one.mayStart, Self.mayJoin(upstreamOf: outlet) {
        return descend(one, part)
      }
      if returnToMerge(signal, part) { return }
      place.own(part)
      if part.isActive { signal.attach(Sink(part, trace, outlet, next: part.handler())) }
    case .infallible(let signal):
      place.own(part)
      let upstream = UpstreamScope<Never>(in: part) { part.end($0.promoted()) }
      if part.isActive { signal.attach(Sink(upstream, trace, outlet, next: part.handler())) }
    case .deferred(let make): start(.signal(make()), part)
    case .ignoringValues(let attach):
      place.own(part)
      part.downstreamGate = outlet
      if part.isActive { attach(part, trace) }
    }
  }

  /// Turns a signal that has not been started into a level.
  private func descend(_ one: Descending<Value, Failure>, _ part: Part) {
    let level = state.withLock { $0.push(one.policy, instead: part) }
    if let level { one.start(self, level) }
  }

  /// Starts the last signal of the descent in the merge itself and ends `place`; returns false if
  /// the signal is not the last one, or cannot join the merge.
  private func returnToMerge(_ signal: Signal<Value, Failure>, _ part: Part) -> Bool {
    guard let merging, case .joining = signal.node.argument, Self.mayJoin(upstreamOf: outlet),
      let isLost = state.withLock({ $0.isLast(part) ? part.isLost : nil })
    else { return false }
    merging.subscribe(to: signal)
    place.end(isLost ? .sourceGone : .completed)
    return true
  }

  /// Releases all signals outside the lock, because releasing them may run code of the program.
  private func release() {
    let dropped = state.withLock { $0.dropAll() }
    withExtendedLifetime(dropped) {}
  }
}

extension Merging {
  /// Starts a signal in a part of this merge as a ``Descent``; returns false if the caller has to
  /// start it.
  @inlinable @inline(__always)
  func descend(_ inner: Signal<Value, Failure>, in part: Scope<Failure>) -> Bool {
    guard inner.node.argument.isDescending else { return false }
    return begin(inner, in: part)
  }

  @usableFromInline @inline(never)
  func begin(_ inner: Signal<Value, Failure>, in part: Scope<Failure>) -> Bool {
    guard part.isActive else { return false }
    let resolved = resolved(inner, in: part)
    if Descent.begin(resolved, in: part, of: self) { return true }
    // The closure of a deferred signal has run and must not run again, so the signal that it
    // returned starts here.
    guard resolved !== inner else { return false }
    if outlet.isPathOpen {
      attach(resolved, part)
    } else {
      outlet.whenOpen { self.attach(resolved, part) }
    }
    return true
  }

  /// If `inner` is deferred and its closure may run at once, runs the closure and returns the
  /// signal that it makes; otherwise returns `inner`.
  ///
  /// The result can be a level, or join the merge, as if it had not been deferred.
  func resolved(_ inner: Signal<Value, Failure>, in scope: Scope<Failure>) -> Signal<Value, Failure>
  {
    var inner = inner
    while let one = inner.descending, one.isCold, case .deferred(let make)? = one.parts.first,
      one.mayStart, Descent<Value, Failure>.mayJoin(upstreamOf: outlet), outlet.isPathOpen,
      scope.isActive
    {
      inner = make()
    }
    return inner
  }
}

extension GatedStage {
  /// Whether there are so many gates downstream that traced signals should not add more.
  final var isDeeplyNested: Bool {
    var next = downstream
    for _ in 0..<64 {
      guard let stage = next else { return false }
      next = stage.downstream
    }
    return true
  }
}

extension Subscription {
  /// Cancels an owned subscription, and releases it.
  final func drop(_ one: Subscription) {
    guard one.close(.cancelled) else { return }
    release(one)
    one.forget()
  }
}
