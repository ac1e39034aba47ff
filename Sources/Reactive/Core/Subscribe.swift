public import TraceFormat

extension Signal {
  /// Starts this signal and delivers its events to closures.
  ///
  /// A cold source that runs code of the program starts on a scheduler (event contract, rule 8): at
  /// once on the main thread, in scheduled work and in a Swift task, and elsewhere on
  /// ``QueueScheduler/background``.
  ///
  /// A handler may subscribe again, as often as necessary: if handlers are nested so deeply that
  /// they use 128 KiB of stack, the signal is not started before one of them has returned (event
  /// contract, rule 10).
  ///
  /// - Parameters:
  ///   - next: Called with each value, one at a time.
  ///   - failed: Called at most once, last. Without it a failure goes to ``UnhandledFailure``.
  ///   - completed: Called at most once, last. When `failed` or `completed` is called, the
  ///     disposable is already disposed.
  /// - Returns: A disposable that ends the subscription. Dropping it does not end the subscription
  ///   (event contract, rule 7).
  @inlinable @discardableResult
  public func subscribe(
    next: consuming @escaping @Sendable (Value) -> Void = { _ in },
    failed: (@Sendable (Failure) -> Void)? = nil,
    completed: (@Sendable () -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    if Tracing.isProbing {
      let site = Site(
        "subscribe",
        file,
        line,
        column,
        Self.rootTraits(failed != nil, completed != nil)
      )
      return beginTraced(failed, completed, site, next)
    }
    let whole: RootScope<Failure>
    if failed == nil, completed == nil, Failure.self == Never.self {
      whole = RootScope(nil)
    } else {
      whole = root(failed, completed, Site("subscribe", file, line, column, .root))
    }
    if NestingLimit.isReached {
      startLater(whole, consume next)
      return whole
    }
    NestingLimit.enter()
    start(self, whole, nil, consume next, .root)
    NestingLimit.leave()
    return whole
  }

  @usableFromInline @inline(never)
  func startLater(_ whole: Scope<Failure>, _ next: @escaping @Sendable (Value) -> Void) {
    NestingLimit.postpone { if whole.isActive { self.start(self, whole, nil, next, .root) } }
  }

  /// The traits of a program's own subscription, for traces: whether it handles failures and
  /// completion.
  @usableFromInline @inline(never)
  static func rootTraits(_ takesFailures: Bool, _ takesCompletion: Bool) -> SiteTraits {
    var traits = SiteTraits.root
    if !takesFailures, Failure.self != Never.self { traits.insert(.unhandled) }
    if takesCompletion { traits.insert(.handlesEnd) }
    return traits
  }

  /// The scope of a subscription made at `site`.
  @usableFromInline @inline(never)
  func root(
    _ failed: (@Sendable (Failure) -> Void)?,
    _ completed: (@Sendable () -> Void)?,
    _ site: Site
  ) -> RootScope<Failure> {
    let rest = RootHandlers(
      RootHandlers.Handlers(failed: failed, completed: completed, signal: self.site, site: site)
    )
    return Tracing.isProbing ? TracedRootScope(rest) : RootScope(rest)
  }

  /// Subscribes `down` to this signal, with events delivered on `scheduler` if `scheduler` is not
  /// nil.
  @inlinable @inline(__always)
  func attach(
    to down: consuming Sink<Value, Failure>,
    on scheduler: (any Scheduler)?,
    isPostponed: Bool
  ) {
    if isPostponed { return attachLater(to: down, on: scheduler) }
    guard down.scope.isActive else { return }
    NestingLimit.enter()
    if let scheduler { deliver(to: down, on: scheduler) } else { attach(down) }
    NestingLimit.leave()
  }

  @usableFromInline @inline(never)
  func attachLater(to down: Sink<Value, Failure>, on scheduler: (any Scheduler)?) {
    NestingLimit.postpone { self.attach(to: down, on: scheduler, isPostponed: false) }
  }

  @usableFromInline @inline(never)
  func deliver(to down: Sink<Value, Failure>, on scheduler: any Scheduler) {
    let stage = DeliverStage(down, scheduler)
    down.scope.own(stage)
    let upstream = UpstreamScope<Failure>(in: down.scope) { stage.post(.end($0)) }
    attach(Sink(upstream, down.trace, nil) { stage.post(.next($0)) })
  }
}
