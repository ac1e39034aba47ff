import ReactiveTrace
import Synchronization

/// One execution of a command or action: the subscription of its signal, and all that it has sent.
///
/// Whoever asked for it, and the signals of executions, listen to its hub. The source holds it while it
/// runs.
final class Execution<Output: Sendable, Failure: Error>: Sendable {
  let hub = Hub<Output, ActionError<Failure>>(capacity: .max)
  private let core: ExecutionCore<Output, Failure>
  private let site: Site
  /// Until it begins.
  private let source: Locked<(@Sendable () -> Signal<Output, Failure>)?>
  private let scope: UpstreamScope<Failure>
  /// Itself, from its beginning to its end.
  private let own: Holder

  /// Whether nobody waits for it any more; written and read under the lock of the core, for one that waits.
  private let hasNoSubscriber = Atomic<Bool>(false)

  private final class Holder: Sendable {
    private let run = Locked<Execution?>(nil)

    func hold(_ new: Execution?) -> Execution? {
      run.withLock { run in
        defer { run = new }
        return run
      }
    }
  }

  /// - Parameters:
  ///   - core: Is told when it sends and ends.
  ///   - site: Where it was asked for.
  ///   - source: Makes the signal, when it begins.
  init(
    _ core: ExecutionCore<Output, Failure>,
    _ site: Site,
    _ source: @escaping @Sendable () -> Signal<Output, Failure>
  ) {
    self.core = core
    self.site = site
    self.source = Locked(source)
    let own = Holder()
    self.own = own
    scope = UpstreamScope { end in
      if let run = own.hold(nil) { run.core.ended(run, End(of: end)) }
    }
  }

  /// Subscribes to the signal, unless it was cancelled before.
  func begin() {
    let source = source.withLock { source in
      defer { source = nil }
      return source
    }
    guard let source, scope.isActive else { return }
    let signal = source()
    _ = own.hold(self)
    guard scope.isActive else {
      _ = own.hold(nil)
      return
    }
    let closure = scope.begin(site.ofExecution, of: hub.id)
    signal.attach(
      Sink(scope, closure?.subscription, nil) { [self] value in
        guard scope.isActive else { return }
        if let closure { Tracer.next(closure.id) }
        core.sent(value)
        hub.send(value)
      }
    )
  }

  /// It was asked for and is not allowed.
  func refuse() { Self.refuse(site, of: hub.id) }

  /// Tells the trace of an execution that was asked for and not allowed.
  static func refuse(_ site: Site, of signal: TraceID) {
    guard Tracer.isOn else { return }
    let scope = UpstreamScope<ActionError<Failure>> { _ in }
    _ = scope.begin(site.ofExecution, of: signal)
    _ = scope.close(Ending(.failed))
  }

  var isWithdrawn: Bool { hasNoSubscriber.load(ordering: .relaxed) }

  /// Its turn shall not come: what waits in the queue is passed over.
  func withdraw() { hasNoSubscriber.store(true, ordering: .relaxed) }

  /// Ends it without an event for whoever asked, if it has not ended; its signal completes.
  func cancel() {
    guard scope.close(.cancelled) else { return }
    scope.forget()
    _ = own.hold(nil)
    core.ended(self, .completed)
  }

  /// What it sends, without its failure: what the signals of executions send.
  var values: Signal<Output, Never> {
    Signal(
      Site(site.name, site.file, UInt(site.line), UInt(site.column)),
      argument: .part("values")
    ) {
      [hub] down in
      let part = UpstreamScope<ActionError<Failure>>(in: down.scope) { end in
        if case .sourceGone = end {
          down.scope.end(.sourceGone)
        } else {
          down.scope.end(.completed)
        }
      }
      hub.addReplaying(Sink(part, down.trace, down.below, next: down.next))
    }
  }
}

extension End {
  /// The end of an execution of what ended so.
  fileprivate init<Inner: Error>(of end: End<Inner>) where Failure == ActionError<Inner> {
    switch end {
    case .completed: self = .completed
    case .failed(let error): self = .failed(.failed(error))
    case .sourceGone: self = .sourceGone
    }
  }
}

extension Site {
  /// The executions that are asked for here.
  fileprivate var ofExecution: Site {
    Site("execution", file, UInt(line), UInt(column), .executes)
  }
}
