import TraceFormat

extension Signal {
  /// A source with its own name and site, for libraries that make signals from callbacks.
  ///
  /// Works like ``create(_:file:line:column:)``, but traces, logs and `description` show the site,
  /// and callbacks that use the ``Inlet`` are recorded as *hops* (work that is scheduled in one
  /// place and runs in another). The backtrace of such a hop leads to the code that subscribed.
  ///
  /// ```swift
  /// extension Thermometer {
  ///   func readings(from site: Site) -> Signal<Double, Never> {
  ///     .source(site, on: Thermometer.callbacks) { inlet in
  ///       let token = self.addHandler { inlet.send($0) }
  ///       inlet.onDispose { self.removeHandler(token) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// With the trait `hot`, the closure runs at once, on the subscribing thread; without it, the
  /// closure runs at once if there is a current scheduler, otherwise on
  /// ``QueueScheduler/background`` (event contract, rule 8). When the last reference to the inlet
  /// is released, nothing can send any more, and the subscription ends without an event (event
  /// contract, rule 11).
  ///
  /// - Parameters:
  ///   - site: The source's name, call site and traits.
  ///   - argument: Shown in parentheses after the name in `description`; nil for none.
  ///   - identity: Identifies the threads on which the callbacks run; nil if they run on the thread
  ///     of the code that causes them, such as the callbacks of notifications. In that case the
  ///     callbacks are not recorded as hops.
  ///   - body: Runs once per subscription.
  /// - Returns: A signal that runs the closure anew for each subscription.
  public static func source(
    _ site: Site,
    argument: String? = nil,
    on identity: SchedulerIdentity? = nil,
    _ body: @escaping @Sendable (_ inlet: Inlet<Value, Failure>) -> Void
  ) -> Signal {
    let isHot = site.traits.contains(.hot)
    return Signal(site, argument: argument.map(Argument.text) ?? .none) { down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let observer = Observer(handle: ObserverHandle(outlet, down.scope))
      let inlet = Inlet(observer, identity)
      if isHot {
        if down.scope.isActive { body(inlet) }
      } else {
        down.startCold { body(inlet) }
      }
    }
  }
}

/// Passes events from callbacks into one subscription; see ``Signal/source(_:argument:on:_:)``.
///
/// Any number of threads may use the inlet at the same time, because events are serialised. A
/// callback that cannot be unregistered may keep the inlet: once the subscription has ended, the
/// inlet retains nothing, and anything sent through it is silently dropped.
public final class Inlet<Value: Sendable, Failure: Error>: Sendable {
  /// Nil once the subscription has ended.
  private let observer: Locked<Observer<Value, Failure>?>
  private let scope: Scope<Failure>
  private let identity: SchedulerIdentity?
  private let trace: CallbackTrace

  init(_ observer: Observer<Value, Failure>, _ identity: SchedulerIdentity?) {
    self.observer = Locked(observer)
    self.identity = identity
    scope = observer.handle.scope
    trace = CallbackTrace(identity)
    // The reference is weak, so that only the callback retains the inlet.
    observer.onDispose { [weak self] in self?.release() }
  }

  private func release() {
    let former = observer.withLock { observer in
      defer { observer = nil }
      return observer
    }
    withExtendedLifetime(former) {}
  }

  /// Whether the subscription has ended.
  public var isDisposed: Bool { scope.isDisposed }

  /// Runs a closure when the subscription ends for any reason, or at once if it has already ended.
  ///
  /// The closure must not retain the inlet; otherwise the inlet outlives the callbacks that send,
  /// and the subscription does not end when the callbacks are gone.
  public func onDispose(_ action: @escaping @Sendable () -> Void) {
    guard let observer = observer.withLock({ $0 }) else { return action() }
    observer.onDispose(action)
  }

  /// Sends a value, unless the subscription has ended.
  public func send(_ value: Value) { enter { $0.send(value) } }

  /// Sends a value, and calls a closure when the value has been handled, or at once if the
  /// subscription has ended.
  ///
  /// If another thread is delivering, the value waits for its turn, and that thread calls the
  /// closure. A source that reads its next value only when the closure has been called never has
  /// more than one value waiting.
  public func send(_ value: Value, handled: @escaping @Sendable () -> Void) {
    var isSent = false
    enter { observer in
      isSent = true
      observer.handle.send(value, handled: handled)
    }
    if !isSent { handled() }
  }

  /// Ends the subscription with a failure, unless it has ended.
  public func fail(_ error: Failure) { enter { $0.fail(error) } }

  /// Completes the subscription, unless it has ended.
  public func complete() { enter { $0.complete() } }

  /// Sends several events as one callback, for which a trace shows a single hop; does nothing if
  /// the subscription has ended.
  ///
  /// - Parameter body: Sends the events; runs at most once, before this method returns.
  public func enter(_ body: (_ observer: Observer<Value, Failure>) -> Void) {
    guard let observer = observer.withLock({ $0 }), !observer.isDisposed else { return }
    guard let identity else { return body(observer) }
    CurrentScheduler.run(as: identity) {
      trace.run(on: identity, for: observer.handle.outlet.trace) { body(observer) }
    }
  }

  /// Runs work on a scheduler, as a recorded hop; cancels the work if the subscription ends first.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs.
  ///   - work: Released when it has run or has been cancelled.
  public func run(on scheduler: some Scheduler, _ work: @escaping @Sendable () -> Void) {
    guard let observer = observer.withLock({ $0 }) else { return }
    let piece = ScheduledWork(on: scheduler, for: observer.handle.outlet.trace, work)
    observer.disposables.add(piece)
    if !piece.isDisposed { scheduler.run(piece) }
  }
}
