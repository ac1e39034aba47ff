/// Runs pieces of work on a scheduler one after another, in the order in which they were posted.
///
/// Each piece of work has the asynchronous backtrace of the caller that posted it, even if the
/// scheduler runs several pieces together (as one *hop* in traces).
@usableFromInline
final class Mailbox: Sendable {
  private struct Job: Sendable { let run: @Sendable () -> Void }

  private let stage: DeliverStage<Job, Never>

  @usableFromInline
  init(on scheduler: any Scheduler) {
    stage = DeliverStage(
      Sink(UpstreamScope<Never>(onEnd: { _ in }), nil, nil) { $0.run() },
      scheduler
    )
  }

  @usableFromInline
  func post(_ work: @escaping @Sendable () -> Void) { stage.post(.next(Job(run: work))) }
}
