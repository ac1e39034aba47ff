import ReactiveTrace
import Synchronization

/// One execution of a command or action: the subscription of its signal, and all that it has sent.
///
/// Its requesters and the signals of executions subscribe to its hub. The source holds it while it
/// runs.
final class Execution<Output: Sendable, Failure: Error>: Sendable {
  let hub = Hub<Output, ActionError<Failure>>(capacity: .max)
  private let core: ExecutionCore<Output, Failure>
  private let site: Site
  /// Nil once it has begun.
  private let source: Locked<(@Sendable () -> Signal<Output, Failure>)?>
  private let scope: UpstreamScope<Failure>
  /// Holds the execution itself, from its beginning to its end.
  private let own: Holder

  /// Whether no subscriber is left; for an execution that waits in the queue, read and written
  /// under the lock of the core.
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
  ///   - core: Is notified of its values and its end.
  ///   - site: Where it was requested.
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

  /// Refuses a request that is not allowed.
  func refuse() { Self.refuse(site, of: hub.id) }

  /// Records in the trace that an execution was requested and refused.
  static func refuse(_ site: Site, of signal: TraceID) {
    guard Tracer.isOn else { return }
    let scope = UpstreamScope<ActionError<Failure>> { _ in }
    _ = scope.begin(site.ofExecution, of: signal)
    _ = scope.close(Ending(.failed))
  }

  var isWithdrawn: Bool { hasNoSubscriber.load(ordering: .relaxed) }

  /// Withdraws an execution that waits in the queue, so that it is skipped.
  func withdraw() { hasNoSubscriber.store(true, ordering: .relaxed) }

  /// Ends it, if it has not ended, without an event for its requesters; its signal completes.
  func cancel() {
    guard scope.close(.cancelled) else { return }
    scope.forget()
    _ = own.hold(nil)
    core.ended(self, .completed)
  }

  /// The values without the failure: what the signals of executions send.
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
  /// The end of an execution, made from the end of its signal.
  fileprivate init<Inner: Error>(of end: End<Inner>) where Failure == ActionError<Inner> {
    switch end {
    case .completed: self = .completed
    case .failed(let error): self = .failed(.failed(error))
    case .sourceGone: self = .sourceGone
    }
  }
}

extension Site {
  /// The site of executions that are requested here.
  fileprivate var ofExecution: Site {
    Site("execution", file, UInt(line), UInt(column), .executes)
  }
}
