import TraceFormat

/// One subscription, or the upstream of one operator, and what to do when it ends.
///
/// A scope and its owner refer to each other until the scope ends, so every source must end its
/// scope, or be held by an object that can end it. What the scope keeps for its end, such as
/// handlers, may only be used by the thread that closes it.
@usableFromInline
class Scope<Failure: Error>: Subscription, @unchecked Sendable {
  /// The nearest gate downstream that values pass.
  ///
  /// The gate is set before anything is subscribed to in this scope, and not after. Each subclass
  /// stores it where it takes the least memory.
  @usableFromInline var downstreamGate: GatedStage? {
    get { nil }
    set {}
  }

  @inlinable
  override init() { super.init() }

  /// Wraps `next` so that it does nothing once the scope has ended.
  @usableFromInline
  final func guarding<Value: Sendable>(
    _ next: @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    { if self.isActive { next($0) } }
  }

  /// Handles a terminal event: tears down upstream, then notifies downstream, unless the scope has
  /// ended before.
  @inlinable
  final func end(_ end: End<Failure>) { finish(end, upstream: end.ending) }

  /// Ends downstream with `end`, and upstream with `upstream`.
  ///
  /// For example, `take` completes, but cancels its source.
  @inlinable
  final func finish(_ end: End<Failure>, upstream: Ending) {
    guard close(upstream) else { return }
    switch end {
    case .completed: endedWithoutFailure(isSourceGone: false)
    case .failed: ended(end)
    case .sourceGone: endedWithoutFailure(isSourceGone: true)
    }
  }

  /// Detaches the scope from its owner, releases what the scope holds, and notifies downstream.
  ///
  /// Called only by the thread that closed the scope.
  @usableFromInline
  func ended(_ end: End<Failure>) {}

  /// Same as ``ended(_:)``, for an end without a failure, so that a subclass can implement it
  /// without values of generic types, whose metadata would be looked up at run time.
  @usableFromInline
  func endedWithoutFailure(isSourceGone: Bool) { ended(isSourceGone ? .sourceGone : .completed) }
}

/// The scope of the upstream of an operator: a closure receives its end.
@usableFromInline
final class UpstreamScope<Failure: Error>: Scope<Failure>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var onEnd: (@Sendable (End<Failure>) -> Void)?
  @exclusivity(unchecked) @usableFromInline var owner: Subscription?
  @exclusivity(unchecked) @usableFromInline var gate: GatedStage?
  @usableFromInline let stages = StageList()

  @inlinable
  init(in owner: Subscription? = nil, onEnd: @escaping @Sendable (End<Failure>) -> Void) {
    self.onEnd = onEnd
    self.owner = owner
    super.init()
    owner?.own(self)
  }

  /// Sets the owner of a scope that was made without one because `onEnd` is set later.
  ///
  /// From here on another thread may end the scope.
  @inlinable
  func join(_ owner: Subscription) {
    self.owner = owner
    owner.own(self)
  }

  @usableFromInline override var downstreamGate: GatedStage? {
    get { gate }
    set { gate = newValue }
  }

  @usableFromInline
  override func ended(_ end: End<Failure>) {
    owner?.release(self)
    let handler = onEnd
    forget()
    handler?(end)
  }

  @usableFromInline
  override func forget() {
    onEnd = nil
    owner = nil
  }

  /// Ends the scope without an event, then runs `next`, unless the scope has ended before.
  @inlinable
  func end(_ ending: Ending, then next: () -> Void) {
    guard close(ending) else { return }
    owner?.release(self)
    forget()
    next()
  }

  @usableFromInline
  override func keep(_ stages: TracedStages) -> Bool { keep(stages, in: self.stages) }

  @usableFromInline
  override func endStages(_ ending: Ending) { stages.end(ending) }

  // Closed here, because `stages` no longer exists when the superclass is deinitialized.
  deinit { closeReleased() }
}

extension Sink {
  /// A scope for an upstream whose end is forwarded.
  @inlinable
  func part() -> UpstreamScope<Failure> { UpstreamScope(in: scope) { [scope] in scope.end($0) } }

  /// A scope for an upstream that cannot fail and whose end is forwarded.
  @inlinable
  func infalliblePart() -> UpstreamScope<Never> {
    UpstreamScope(in: scope) { [scope] in scope.end($0.promoted()) }
  }
}

/// The scope of a subscription that a program made.
///
/// Unchecked because of `rest`, which is set before anything is subscribed to in this scope, and
/// not after.
@usableFromInline
class RootScope<Failure: Error>: Scope<Failure>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var rest: RootHandlers<Failure>?

  @inlinable
  init(_ rest: RootHandlers<Failure>?) {
    self.rest = rest
    super.init()
  }

  @usableFromInline final override var downstreamGate: GatedStage? {
    get { rest?.downstreamGate }
    set {
      if rest == nil { rest = RootHandlers() }
      rest?.downstreamGate = newValue
    }
  }

  @usableFromInline
  final override func ended(_ end: End<Failure>) { rest?.take()?.handle(end) }

  @usableFromInline
  final override func endedWithoutFailure(isSourceGone: Bool) {
    let handlers = rest?.take()
    if !isSourceGone { handlers?.completed?() }
  }

  @usableFromInline
  final override func forget() { _ = rest?.take() }
}

/// A root scope for a recorded subscription.
@usableFromInline
final class TracedRootScope<Failure: Error>: RootScope<Failure>, @unchecked Sendable {
  private let stages = StageList()

  @usableFromInline
  override init(_ rest: RootHandlers<Failure>?) { super.init(rest) }

  @usableFromInline
  override func keep(_ stages: TracedStages) -> Bool { keep(stages, in: self.stages) }

  @usableFromInline
  override func keepFirst(_ stages: TracedStages) { keepFirst(stages, in: self.stages) }

  override func endStages(_ ending: Ending) { stages.end(ending) }

  // Closed here, because `stages` no longer exists when the superclass is deinitialized.
  deinit { closeReleased() }
}

/// Parts that only some subscriptions need: the gate downstream, and the handlers of the end, if
/// the program passed any to `subscribe` or if failures are to be reported.
///
/// Unchecked because of `handlers`, which belongs to the thread that closes the scope, and of
/// `downstreamGate`, which is set before anything is subscribed to.
@usableFromInline
final class RootHandlers<Failure: Error>: @unchecked Sendable {
  struct Handlers: Sendable {
    let failed: (@Sendable (Failure) -> Void)?
    let completed: (@Sendable () -> Void)?
    let signal: Site
    let site: Site

    func handle(_ end: End<Failure>) {
      switch end {
      case .completed: completed?()
      case .failed(let error):
        if let failed { failed(error) } else { UnhandledFailure.report(error, signal, site) }
      case .sourceGone: break
      }
    }
  }

  @exclusivity(unchecked) private var handlers: Handlers?
  @exclusivity(unchecked) var downstreamGate: GatedStage?

  init(_ handlers: Handlers? = nil) { self.handlers = handlers }

  func take() -> Handlers? {
    defer { handlers = nil }
    return handlers
  }
}
