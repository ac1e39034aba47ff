public import TraceFormat
public import Synchronization

/// One execution of a command or action: the subscription to its signal, and all that it has sent.
///
/// The callers that requested the execution subscribe to its hub, and so does the signal that
/// `executionSignals` sends; the hub sends each event to all subscribers. The subscription to the
/// source keeps the execution alive while the execution runs.
@usableFromInline
final class Execution<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let hub: Hub<Output, ActionError<Failure>>
  @usableFromInline let core: ExecutionCore<Output, Failure>
  @usableFromInline let site: Site
  /// Makes the signal of the execution; nil once the execution has begun.
  @usableFromInline let source: HeapBox<Locked<(@Sendable () -> Signal<Output, Failure>)?>>
  @usableFromInline let scope: UpstreamScope<Failure>
  /// Holds the execution itself, from its beginning to its end.
  @usableFromInline let own: ExecutionHolder

  /// Whether an execution that waits in the queue has no subscriber any more; read and written
  /// under the lock of the core.
  @usableFromInline let hasNoSubscriber = Atomic<Bool>(false)

  /// - Parameters:
  ///   - core: Notified of the values and the end of the execution.
  ///   - site: Where the execution was requested.
  ///   - source: Makes the signal when the execution begins.
  @inlinable
  init(
    _ core: ExecutionCore<Output, Failure>,
    _ site: Site,
    _ source: @escaping @Sendable () -> Signal<Output, Failure>
  ) {
    self.core = core
    self.site = site
    self.source = HeapBox(Locked(source))
    hub = Hub(capacity: .max)
    let own = ExecutionHolder()
    self.own = own
    scope = UpstreamScope { end in
      guard let held = own.hold(nil) else { return }
      // Only `begin` of this execution stores an object in the holder, so its type is known.
      let run = unsafeDowncast(held, to: Execution.self)
      run.core.ended(run, End(of: end))
    }
  }

  /// Subscribes to the signal, unless the execution has been cancelled.
  @inlinable
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
    signal.attach(
      scope.sink(site.ofExecution, of: hub.id) { [self] value in
        guard scope.isActive else { return }
        core.sent(value)
        hub.send(value)
      }
    )
  }

  /// Records that the request for this execution was refused.
  @inlinable
  func refuse() { Self.refuse(site, of: hub.id) }

  @inlinable var isWithdrawn: Bool { hasNoSubscriber.load(ordering: .relaxed) }

  /// Withdraws an execution that waits in the queue, so that it is skipped.
  @inlinable
  func withdraw() { hasNoSubscriber.store(true, ordering: .relaxed) }

  /// Ends the execution, if it has not ended.
  ///
  /// The callers that requested it get no event; the signal that `executionSignals` sent completes.
  @inlinable
  func cancel() {
    guard scope.close(.cancelled) else { return }
    scope.forget()
    _ = own.hold(nil)
    core.ended(self, .completed)
  }

  /// The values without the failure: the signal that `executionSignals` sends.
  @inlinable var values: Signal<Output, Never> {
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
      hub.addReplaying(Sink(part, down.trace, down.downstreamGate, next: down.next))
    }
  }
}

/// Keeps an execution alive while it runs.
@usableFromInline
final class ExecutionHolder: Sendable {
  private let run = Locked<(any AnyObject & Sendable)?>(nil)

  @usableFromInline
  init() {}

  /// Holds `new`, and returns the object that was held before.
  @usableFromInline
  func hold(_ new: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
    run.withLock { run in
      defer { run = new }
      return run
    }
  }
}

extension End {
  /// The end of an execution, made from the end of its signal.
  @inlinable
  init<Inner: Error>(of end: End<Inner>) where Failure == ActionError<Inner> {
    switch end {
    case .completed: self = .completed
    case .failed(let error): self = .failed(.failed(error))
    case .sourceGone: self = .sourceGone
    }
  }
}

extension Site {
  /// The site of an execution that is requested at this site.
  @inlinable var ofExecution: Site {
    Site("execution", file, UInt(line), UInt(column), .executes)
  }
}
