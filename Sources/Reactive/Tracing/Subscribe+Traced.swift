public import ReactiveTrace

extension Signal {
  /// Begins a root subscription, one that the program itself makes, if something is recorded or
  /// logged.
  @inlinable @inline(never)
  func beginTraced(
    _ failed: (@Sendable (Failure) -> Void)?,
    _ completed: (@Sendable () -> Void)?,
    _ site: Site,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) -> any Disposable {
    if failed == nil, completed == nil, Failure.self == Never.self {
      return begin(TracedRootScope(nil), site, next, isImmediate: true)
    }
    return begin(root(failed, completed, site), site, next, isImmediate: true)
  }

  /// Begins a root subscription, traced or not.
  ///
  /// - Parameters:
  ///   - whole: The subscription.
  ///   - site: Where the subscription is made.
  ///   - next: Called with each value.
  ///   - started: Called with the disposable that is returned, before the signal is subscribed to.
  ///   - scheduler: Where its events are handled; nil if they are handled where they are sent.
  ///   - isImmediate: Whether nothing else refers to the subscription yet, and nothing happens
  ///     before this signal is subscribed to.
  /// - Returns: A disposable that ends the subscription.
  @inlinable @inline(__always)
  func begin(
    _ whole: Scope<Failure>,
    _ site: Site,
    _ next: __owned @escaping @Sendable (Value) -> Void,
    started: (any Disposable) -> Void = { _ in },
    on scheduler: (any Scheduler)? = nil,
    isImmediate: Bool = false
  ) -> any Disposable {
    let isPostponed = NestingLimit.isReached
    let isImmediate = isImmediate && !isPostponed
    let stages =
      Tracer.isOn ? rootBegan(site, whole.traceNumber, isImmediate: isImmediate) : TraceStages()
    let id = stages.first
    if id == .none {
      started(whole)
      attach(
        to: Sink(whole, nil, nil, next: whole.guarding(next)),
        on: scheduler,
        isPostponed: isPostponed
      )
      return whole
    }
    if isImmediate { whole.keepFirst(stages) } else { whole.own(stages) }
    let handle = TracedDisposable(whole, id)
    started(handle)
    let probe = RootProbe(id, whole, next)
    attach(
      to: Sink(in: whole, SubscriptionTrace(id), next: probe.handler()),
      on: scheduler,
      isPostponed: isPostponed
    )
    Tracer.stagesTaken()
    if Tracer.shouldInspectHoldings(of: id) { RetainCycles.inspect(self, probe, site, id) }
    return handle
  }

  @inlinable @inline(__always)
  func rootBegan(_ site: Site, _ scope: UInt, isImmediate: Bool) -> TraceStages {
    // Logging puts a separate scope between the subscription and the stage of the signal.
    isImmediate && !Tracer.isLogging
      ? Tracer.rootBegan(site: site.traceNumber, signal: node.id, scope: scope)
      : TraceStages(
        Tracer.subscribed(site: site.traceNumber, signal: node.id, downstream: .none, scope: scope)
      )
  }
}
