import ReactiveTrace

/// One piece of scheduled work, called a hop in traces, with the asynchronous backtrace of the code
/// that scheduled it.
struct HopTrace: Sendable {
  /// The hop; its `id` is 0 if nothing is recorded.
  let hop: TraceHop

  /// Records that work is scheduled.
  ///
  /// - Parameters:
  ///   - identity: The scheduler; evaluated only if something is recorded.
  ///   - trace: The subscription that the work belongs to; nil if the program itself scheduled it.
  @inline(__always)
  init(on identity: @autoclosure () -> SchedulerIdentity, for trace: SubscriptionTrace?) {
    hop =
      Tracer.isOn
      ? Tracer.hopScheduled(scheduler: identity().traceNumber, subscription: trace?.id ?? .none)
      : TraceHop()
  }

  /// Records that work is scheduled, which then runs with the backtrace of `origin` if that is
  /// known.
  init(on identity: SchedulerIdentity, for trace: SubscriptionTrace?, from origin: TraceOrigin) {
    var hop = HopTrace(on: identity, for: trace).hop
    if origin.chain != 0 { hop.chain = origin.chain }
    self.hop = hop
  }

  /// Runs the work.
  @inline(__always)
  func run(_ work: () -> Void) {
    guard hop.id != 0 else { return work() }
    Tracer.run(hop, work)
  }

  /// Records that the work will not run.
  func cancelled() { if hop.id != 0 { Tracer.hopCancelled(hop) } }

  /// Runs `make`, which creates the task that does the work.
  func makingTask(_ make: () -> Void) { Tracer.makingTask(of: hop, make) }

  /// Records, in the task that does the work, that it begins.
  ///
  /// A task may move to another thread, so the trace does not measure how long it runs.
  func taskBegan() { Tracer.run(hop) {} }
}
