import Reactive
import ReactiveTesting
import Testing

/// Checks that the values an operator holds are freed when its subscription ends: by disposal, by
/// failure, by completion, or because its source is gone.
///
/// - Parameters:
///   - failsLater: Whether the failure is delivered on the scheduler.
///   - sourceLocation: The place at which a failed check is reported.
///   - apply: Applies the operator under test to a signal.
func expectHeldValuesToBeFreed<Output: Sendable>(
  failsLater: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply:
    (Signal<LifeCount.Token, TestFailure>, TestScheduler) -> Signal<Output, TestFailure>
) {
  for end in ["disposal", "failure", "completion", "source gone"] {
    let lives = LifeCount()
    let time = TestScheduler()
    var subject: Subject<LifeCount.Token, TestFailure>? = Subject()
    guard let signal = subject?.signal else { return }
    let subscription = apply(signal, time).subscribe(failed: { _ in })
    for _ in 0..<3 { subject?.send(lives.token()) }
    #expect(lives.count > 0, "nothing is held", sourceLocation: sourceLocation)
    switch end {
    case "disposal": subscription.dispose()
    case "failure": subject?.fail(TestFailure())
    case "completion":
      subject?.complete()
      time.run()
    default:
      subject = nil
      time.run()
    }
    #expect(lives.count == 0, "held after \(end)", sourceLocation: sourceLocation)
    if failsLater { time.run() }
    #expect(subscription.isDisposed, "active after \(end)", sourceLocation: sourceLocation)
    #expect(time.pendingCount == 0, "a timer is left after \(end)", sourceLocation: sourceLocation)
  }
}
