public import TraceFormat
public import Synchronization

extension Signal {
  /// Leaves out values until another signal sends or completes, then forwards everything.
  ///
  /// ```
  /// source            -1-2-3-4-|
  /// trigger           ----x
  /// skip(until: …)    -----3-4-|
  /// ```
  ///
  /// The trigger *fires* when it sends its first value or completes. It is subscribed to first, so
  /// if it fires at once, no value is left out. Its values are not used, and its subscription is
  /// disposed of once it has fired. If the trigger fails or can no longer send before it has fired,
  /// only the end of the source is forwarded.
  ///
  /// - Parameters:
  ///   - trigger: Its first value or its completion starts the forwarding of values.
  /// - Returns: A signal that ends exactly when this one does, and in the same way, whether or not
  ///   the trigger has fired.
  @inlinable
  public func skip<Trigger: Sendable, TriggerFailure: Error>(
    until trigger: Signal<Trigger, TriggerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("skip(until:)", file, line, column, [.drops, .triggers]),
      .many([self, trigger]),
      argument: .none
    ) { [self] down in
      let latch = SkipLatch()
      let signalled = UpstreamScope<TriggerFailure>(in: down.scope) { end in
        if case .completed = end { latch.open() }
      }
      // The third argument is nil, instead of the nearest gate downstream, which puts events in
      // order. No value of the trigger is forwarded, so the trigger need not wait for that gate.
      let fired = Arrival.collect {
        trigger.attach(
          Sink(signalled, down.trace, nil) { _ in
            signalled.finish(.completed, upstream: .cancelled)
          }
        )
      }
      guard down.scope.isActive else { return }
      attach(down.with { [next = down.next] in if latch.isOpen { next($0) } }, after: fired)
    }
  }
}

/// Records whether the trigger has fired.
///
/// No gate is needed: no value of the trigger goes downstream, so the events of the trigger and
/// those of the source need not be put in one order.
@usableFromInline
final class SkipLatch: Sendable {
  @usableFromInline let state = Atomic<Bool>(false)

  @inlinable
  init() {}

  /// The acquiring load pairs with the releasing store in `open`.
  @inlinable var isOpen: Bool { state.load(ordering: .acquiring) }

  @inlinable
  func open() { state.store(true, ordering: .releasing) }
}
