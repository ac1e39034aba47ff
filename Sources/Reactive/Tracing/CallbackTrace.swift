import ReactiveTrace

/// The hops of a subscription whose events come from callbacks: each callback is recorded as a
/// piece of scheduled work.
///
/// The backtraces lead to where the subscription was made, because the stack of a callback shows
/// only its caller.
struct CallbackTrace: Sendable {
  private let origin: TraceOrigin

  /// - Parameter identity: Identifies the threads of the callbacks; nil if callbacks are not
  ///   recorded as hops.
  init(_ identity: SchedulerIdentity?) {
    guard let identity, Tracer.isOn else {
      origin = TraceOrigin()
      return
    }
    origin = Tracer.origin(scheduler: identity.traceNumber)
  }

  /// Runs a callback.
  ///
  /// The hop is recorded only when the callback runs, because the time until then is not time that
  /// work spends in a queue.
  func run(on identity: SchedulerIdentity, for trace: SubscriptionTrace?, _ body: () -> Void) {
    guard Tracer.isOn else { return body() }
    Tracer.run(HopTrace(on: identity, for: trace, from: origin).hop, body)
  }
}
