import ReactiveTrace

/// The hops of a subscription whose events come from callbacks: each leads back to the place of the
/// subscription, because below a callback are only the frames of its caller.
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
  /// Its hop is recorded only now: the time until a callback comes is not time that work waits in a
  /// queue.
  func run(on identity: SchedulerIdentity, for trace: SubscriptionTrace?, _ body: () -> Void) {
    guard Tracer.isOn else { return body() }
    Tracer.run(HopTrace(on: identity, for: trace, from: origin).hop, body)
  }
}
