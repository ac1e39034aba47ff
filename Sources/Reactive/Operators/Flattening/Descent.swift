import CReactiveTraceShims
import ReactiveTrace

/// Signals that have one inner signal at a time, each the inner signal of the one before: `concatMap` in
/// `flatMapLatest` in `concat`, to any depth.
///
/// One gate serves all of them, and none takes stack: an inner signal that is of this kind itself (``Descending``)
/// becomes one more level instead of a subscription in a subscription. A level that has nothing left to do but to wait for
/// its inner one is taken out, so that a signal that is defined by itself takes no more memory than one.
///
/// It runs in the place of an inner signal of a stage: `place` ends when the lowest level has, and what runs here
/// ends with it.
final class Descent<Value: Sendable, Failure: Error>: Sendable {
  typealias Level = DescentLevel<Value, Failure>
  typealias Part = DescentPart<Value, Failure>
  typealias Inner = InnerSignal<Value, Failure>

  let place: Scope<Failure>
  let outlet: Outlet<Value, Failure>
  let trace: SubscriptionTrace?
  /// What the place is a part of, where all it does is to be counted there.
  private let merging: Merging<Value, Failure>?
  private let state = Locked(DescentState<Value, Failure>())

  private init(_ place: Scope<Failure>, of merging: Merging<Value, Failure>, isCounted: Bool) {
    self.place = place
    self.merging = isCounted ? merging : nil
    outlet = merging.outlet
    trace = merging.trace
    // What waits goes with the place.
    place.own(ActionTeardown { [weak self] in self?.release() })
  }

  deinit { release() }

  /// Starts a signal in a place of a merge, if it is one that can be a level.
  ///
  /// - Parameters:
  ///   - signal: Runs in `place`.
  ///   - place: An active part of `merging`.
  ///   - merging: Forwards what the signal sends.
  ///   - isCounted: Whether a signal of the same merge may take the place, as far as `place` goes.
  /// - Returns: Whether it was started.
  static func begin(
    _ signal: Signal<Value, Failure>,
    in place: Scope<Failure>,
    of merging: Merging<Value, Failure>,
    isCounted: Bool = false
  ) -> Bool {
    guard let first = signal.descending, !first.isCold, mayJoin(above: merging.outlet) else {
      return false
    }
    let descent = Descent(place, of: merging, isCounted: isCounted)
    descent.state.withLock { $0.occupy($0.top, .signal(signal), in: descent) }
    descent.pump()
    return true
  }

  /// Whether a signal may run in the merge that subscribes to it.
  ///
  /// Where it is traced or logged it is a subscription of its own, as long as there are few of them below and the
  /// stack is far from its end.
  static func mayJoin(above stage: GatedStage) -> Bool {
    !Tracer.isProbing || rxt_releases_deep() || stage.isHigh
  }

  // MARK: What levels are told

  /// The scope of the source of a level.
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

  /// A level has an inner signal to run; `make` gives it, where it is run or waits.
  func receive(at level: Level, _ make: () -> Inner) {
    switch level.policy {
    case .first:
      // Taken before the closure runs: it need not for a value that is left out.
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

  /// A level without a source has these inner signals, and no others.
  func follow(_ signals: [Inner], at level: Level) {
    state.withLock { state in
      if level.isDropped { return }
      for one in signals { level.waiting.push(one) }
      level.isOpen = false
      // There is one at least, which is next.
      _ = state.goOn(in: self)
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
        state.leaveOut(level)
        return .nothing
      }
      return state.goOn(in: self)
    }
    act(next)
  }

  /// The signal that runs has ended.
  func ended(_ part: Part, _ end: End<Failure>) {
    if case .failed = end { return place.end(end) }
    let next = state.withLock { state -> DescentState<Value, Failure>.Next in
      guard state.part === part else { return .nothing }
      state.part = nil
      state.top.isBusy = false
      if case .sourceGone = end { part.isLost = true }
      if part.isLost { state.top.isLost = true }
      return state.goOn(in: self)
    }
    act(next)
  }

  private func act(_ next: DescentState<Value, Failure>.Next) {
    switch next {
    case .nothing: break
    case .start: pump()
    case .end(let isLost): place.end(isLost ? .sourceGone : .completed)
    }
  }

  /// Whether a value that has waited in the gate comes from a signal that another has replaced.
  func isStale(_ part: Part) -> Bool {
    part.wasDropped || state.withLock { _ in part.level.isPast(part.number) }
  }

  // MARK: Starting

  /// Starts what is to be started: in a loop, and not deeper inside each other than a ``Gate`` has it.
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
      if let one = signal.descending, one.mayStart, Self.mayJoin(above: outlet) {
        return descend(one, part)
      }
      if handBack(signal, part) { return }
      place.own(part)
      if part.isActive { signal.attach(Sink(part, trace, outlet, next: part.handler())) }
    case .infallible(let signal):
      place.own(part)
      let upstream = UpstreamScope<Never>(in: part) { part.end($0.promoted()) }
      if part.isActive { signal.attach(Sink(upstream, trace, outlet, next: part.handler())) }
    case .made(let make): start(.signal(make()), part)
    case .unheard(let attach):
      place.own(part)
      part.below = outlet
      if part.isActive { attach(part, trace) }
    }
  }

  /// Puts a level in the place of a signal that has not been started.
  private func descend(_ one: Descending<Value, Failure>, _ part: Part) {
    let level = state.withLock { $0.push(one.policy, instead: part) }
    if let level { one.start(self, level) }
  }

  /// The last signal of all, where it runs into the merge itself.
  private func handBack(_ signal: Signal<Value, Failure>, _ part: Part) -> Bool {
    guard let merging, case .joining = signal.node.argument, Self.mayJoin(above: outlet),
      let isLost = state.withLock({ $0.isLast(part) ? part.isLost : nil })
    else { return false }
    merging.subscribe(to: signal)
    place.end(isLost ? .sourceGone : .completed)
    return true
  }

  /// Not under the lock: what a signal that waited holds may run code of its own as it is released.
  private func release() {
    let dropped = state.withLock { $0.dropAll() }
    withExtendedLifetime(dropped) {}
  }
}

extension Merging {
  /// Starts a signal in a part of this merge as a ``Descent``, if it can be one.
  @inlinable @inline(__always)
  func descend(_ inner: Signal<Value, Failure>, in part: Scope<Failure>) -> Bool {
    guard inner.node.argument.isDescending else { return false }
    return begin(inner, in: part)
  }

  @usableFromInline @inline(never)
  func begin(_ inner: Signal<Value, Failure>, in part: Scope<Failure>) -> Bool {
    guard part.isActive else { return false }
    let made = made(inner, in: part)
    if Descent.begin(made, in: part, of: self) { return true }
    // It is made once.
    guard made !== inner else { return false }
    if outlet.isPathOpen { attach(made, part) } else { outlet.whenOpen { self.attach(made, part) } }
    return true
  }

  /// What a deferred signal makes, where it may start at once; any other is returned as it is.
  ///
  /// So what it makes can be a level, or join, as if it were not deferred.
  func made(_ inner: Signal<Value, Failure>, in scope: Scope<Failure>) -> Signal<Value, Failure> {
    var inner = inner
    while let one = inner.descending, one.isCold, case .made(let make)? = one.parts.first,
      one.mayStart, Descent<Value, Failure>.mayJoin(above: outlet), outlet.isPathOpen,
      scope.isActive
    {
      inner = make()
    }
    return inner
  }
}

extension GatedStage {
  /// Whether values sent here pass so many gates that what is traced should add no more.
  final var isHigh: Bool {
    var next = below
    for _ in 0..<64 {
      guard let stage = next else { return false }
      next = stage.below
    }
    return true
  }
}

extension Subscription {
  /// Cancels one that this owns, and lets go of it.
  final func drop(_ one: Subscription) {
    guard one.close(.cancelled) else { return }
    release(one)
    one.forget()
  }
}
