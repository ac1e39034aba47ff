public import ReactiveTrace

extension Signal {
  /// Starts this signal and hands its events to closures.
  ///
  /// Subscribing runs on a scheduler (contract rule 8): at once on the main thread, in scheduled work
  /// and in a Swift task; elsewhere a cold source starts on ``QueueScheduler/background``.
  ///
  /// - Parameters:
  ///   - next: Called with each value, one at a time.
  ///   - failed: Called at most once, last. Without it a failure goes to ``UnhandledFailure``.
  ///   - completed: Called at most once, last. In both terminal calls the disposable is disposed
  ///     already.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Ends the subscription. Dropping it does not (contract rule 7).
  @inlinable @discardableResult
  public func subscribe(
    next: @escaping @Sendable (Value) -> Void = { _ in },
    failed: (@Sendable (Failure) -> Void)? = nil,
    completed: (@Sendable () -> Void)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> any Disposable {
    if Tracer.isProbing {
      let site = Site("subscribe", file, line, column, Self.rootTraits(handled: failed != nil))
      return begin(root(failed, completed, site), site, next)
    }
    let whole: RootScope<Failure>
    if failed == nil, completed == nil, Failure.self == Never.self {
      whole = RootScope(nil)
    } else {
      whole = root(failed, completed, Site("subscribe", file, line, column, .root))
    }
    start(self, whole, nil, next, true)
    return whole
  }

  /// What traces know of a subscription of the program's own: `handled` says whether it takes failures.
  @usableFromInline @inline(never)
  static func rootTraits(handled: Bool) -> SiteTraits {
    handled || Failure.self == Never.self ? .root : [.root, .unhandled]
  }

  /// The scope of a subscription made at `site`.
  @usableFromInline @inline(never)
  func root(
    _ failed: (@Sendable (Failure) -> Void)?,
    _ completed: (@Sendable () -> Void)?,
    _ site: Site
  ) -> RootScope<Failure> {
    RootScope(
      RootRest(
        RootRest.Handlers(failed: failed, completed: completed, signal: self.site, site: site)
      )
    )
  }

  /// Begins a root subscription, traced or not.
  ///
  /// - Parameters:
  ///   - whole: The subscription.
  ///   - site: Where it is made.
  ///   - next: Called with each value.
  ///   - started: Gets what this returns, before anything else happens.
  ///   - scheduler: Where its events are handled; nil for wherever they come.
  /// - Returns: Ends it.
  @usableFromInline @inline(never)
  func begin(
    _ whole: Scope<Failure>,
    _ site: Site,
    _ next: @escaping @Sendable (Value) -> Void,
    started: (any Disposable) -> Void = { _ in },
    on scheduler: (any Scheduler)? = nil
  ) -> any Disposable {
    let id =
      Tracer.isOn
      ? Tracer.subscribed(site: site.traceNumber, signal: node.id, downstream: .none)
      : .none
    if id == .none {
      started(whole)
      attach(Sink(whole, nil, nil, next: whole.guarding(next)), on: scheduler)
      return whole
    }
    let trace = SubscriptionTrace(id)
    whole.own(trace)
    let handle = TracedDisposable(whole, id)
    started(handle)
    let sink = Sink<Value, Failure>(whole, trace, nil) { value in
      if whole.isActive {
        Tracer.next(trace.id)
        next(value)
      } else {
        Tracer.refused(trace.id, .next)
      }
    }
    attach(sink, on: scheduler)
    return handle
  }

  /// Starts this signal into `down`, whose events a scheduler delivers.
  private func attach(_ down: Sink<Value, Failure>, on scheduler: (any Scheduler)?) {
    guard down.scope.isActive else { return }
    guard let scheduler else { return attach(down) }
    let stage = DeliverStage(down, scheduler)
    down.scope.own(stage)
    let upstream = UpstreamScope<Failure>(in: down.scope) { stage.post(.end($0)) }
    attach(Sink(upstream, down.trace, nil) { stage.post(.next($0)) })
  }
}

/// What a traced subscription returns, so that its disposal and its release can be told.
///
/// It knows the number of the subscription only: a program that keeps it does not keep the subscription
/// from being released.
final class TracedDisposable: Disposable {
  private let subscription: Subscription
  let id: TraceID

  init(_ subscription: Subscription, _ id: TraceID) {
    self.subscription = subscription
    self.id = id
  }

  var isDisposed: Bool { subscription.isDisposed }

  func dispose() {
    if subscription.isActive { Tracer.disposeRequested(id) }
    subscription.dispose()
  }

  deinit {
    if subscription.isActive { Tracer.disposableReleased(id) }
  }
}
