import TraceFormat
import Synchronization

extension Signal {
  /// Runs work once on a scheduler, starting immediately, and sends the events of the work to every
  /// subscriber.
  ///
  /// ```
  /// work          1-2-|
  /// subscribers   1-2-|   those that come later: (12|)
  /// ```
  ///
  /// The work runs whether or not the signal is subscribed to, and disposing of subscriptions does
  /// not cancel it. All subscribers receive the same events, whenever they subscribe.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs.
  ///   - work: Runs once; the events it sends through the observer are kept. If the work releases
  ///     the observer before sending a failure or completion, subscriptions end without an event
  ///     (event contract, rule 11).
  /// - Returns: A signal that first sends each subscriber all earlier events of the work.
  /// - Complexity: Retains all values for as long as the signal lives.
  public static func startEagerly(
    on scheduler: some Scheduler,
    _ work: @escaping @Sendable (_ observer: Observer<Value, Failure>) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("startEagerly(on:)", file, line, column, .source)
    let shared = SharedWork(site, scheduler, work)
    let signal = Signal(site, argument: .scheduler(scheduler.identity)) { shared.subscribe($0) }
    shared.start(signal.node.id)
    return signal
  }

  /// Runs work on a scheduler at the first subscription, and sends the events of the work to every
  /// subscriber.
  ///
  /// ```
  /// work          1-2-|
  /// subscribers   1-2-|   those that come later: (12|)
  /// ```
  ///
  /// The work runs once; disposing of subscriptions, even of all, does not cancel it.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs.
  ///   - work: Runs at most once; the events it sends through the observer are kept. If the work
  ///     releases the observer before sending a failure or completion, subscriptions end without an
  ///     event (event contract, rule 11).
  /// - Returns: A signal that first sends each subscriber all earlier events of the work.
  /// - Complexity: Retains all values for as long as the signal lives.
  public static func startLazily(
    on scheduler: some Scheduler,
    _ work: @escaping @Sendable (_ observer: Observer<Value, Failure>) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("startLazily(on:)", file, line, column, .source)
    let shared = SharedWork(site, scheduler, work)
    // `id` is set below, before the signal can be subscribed to.
    let id = StageState(TraceID.none)
    let signal = Signal(site, argument: .scheduler(scheduler.identity)) { down in
      shared.subscribe(down)
      shared.start(id.value)
    }
    id.value = signal.node.id
    return signal
  }
}

/// Work that runs once, and the events that it has sent.
final class SharedWork<Value: Sendable, Failure: Error>: Sendable {
  private typealias Work = @Sendable (Observer<Value, Failure>) -> Void

  private let hub = Hub<Value, Failure>(capacity: .max)
  private let site: Site
  private let scheduler: any Scheduler
  /// Nil once the work has started.
  private let work: Locked<Work?>

  init(
    _ site: Site,
    _ scheduler: any Scheduler,
    _ work: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) {
    self.site = site
    self.scheduler = scheduler
    self.work = Locked(work)
  }

  func subscribe(_ down: Sink<Value, Failure>) { hub.addReplaying(down) }

  /// Starts the work at the first call; later calls do nothing.
  func start(_ signal: TraceID) {
    let work = self.work.withLock { work in
      defer { work = nil }
      return work
    }
    guard let work else { return }
    let scope = UpstreamScope<Failure> { [hub] in hub.end($0) }
    let outlet = Outlet(scope.sink(site, of: signal) { [hub] in hub.send($0) })
    scope.own(outlet)
    let observer = Observer(handle: ObserverHandle(outlet, scope))
    scheduler.run(ScheduledWork(on: scheduler, for: outlet.trace) { work(observer) })
  }
}
