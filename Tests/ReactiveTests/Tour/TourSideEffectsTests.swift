import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Basic Operators, section "Performing side effects with
/// signals".
@Suite struct TourSideEffectsTests {
  @Test func subscribingPrintsTheValuesInOrder() {
    let console = Console()
    let letters = Signal<String, Never>.from(words("A B C D E F G H I"))

    letters.subscribe { console.print($0) }

    #expect(console.output == "A B C D E F G H I")
  }

  @Test func theWorkOfAColdSignalRunsOncePerSubscription() {
    let console = Console()
    let subscriptions = Counter()
    let logging = Signal<Int, Never>.create { observer in
      subscriptions.add()
      observer.complete()
    }

    logging.subscribe(completed: { console.print("subscription \(subscriptions.value)") })
    #expect(console.lines == ["subscription 1"])

    logging.subscribe(completed: { console.print("subscription \(subscriptions.value)") })
    #expect(console.lines == ["subscription 1", "subscription 2"])
  }

  @Test func anInjectedEffectRunsBeforeTheSubscribersHandler() {
    let console = Console()
    let subscriptions = Counter()
    let logging = Signal<Int, Never>.create { observer in
      subscriptions.add()
      observer.complete()
    }
    .doCompleted { console.print("about to complete subscription \(subscriptions.value)") }
    #expect(console.lines.isEmpty)

    logging.subscribe(completed: { console.print("subscription \(subscriptions.value)") })

    #expect(console.lines == ["about to complete subscription 1", "subscription 1"])
  }
}
