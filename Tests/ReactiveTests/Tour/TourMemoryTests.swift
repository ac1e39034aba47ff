import Reactive
import ReactiveTesting
import Testing

/// The cases in ReactiveCocoa's document "Memory Management".
@Suite struct TourMemoryTests {
  private final class Screen: Sendable {
    let username = MutableProperty("")
    private let subscription = SerialDisposable()
    private let token: LifeCount.Token
    private let validated = Counter()

    init(_ lives: LifeCount) { token = lives.token() }

    var validations: Int { validated.value }

    /// Makes a cycle: screen → disposable → signal → subscriber → screen.
    func wait(for signal: Signal<Int, Never>) {
      subscription.inner = signal.subscribe(completed: { self.validated.add() })
    }

    func validateWeakly() {
      username.signal.subscribe { [weak self] _ in self?.validated.add() }
    }
  }

  @Test func theEndOfASignalBreaksTheCycleThroughItsSubscriber() {
    let lives = LifeCount()
    let signal = Subject<Int, Never>()
    do { Screen(lives).wait(for: signal.signal) }
    #expect(lives.count == 1)

    signal.complete()

    #expect(lives.count == 0)
  }

  @Test func disposalRemovesOneSubscriberButNotTheOthers() {
    let lives = LifeCount()
    let infinite = Subject<Int, Never>()
    let others = infinite.signal.recorded()
    let subscription = infinite.signal.subscribe { [token = lives.token()] _ in token.touch() }

    subscription.dispose()

    #expect(lives.count == 0)
    infinite.send(1)
    #expect(others.values == [1])
    #expect(!others.isDisposed)
  }

  @Test func anObjectThatRefersToItselfWeaklyIsFreed() {
    let lives = LifeCount()
    do {
      let screen = Screen(lives)
      screen.validateWeakly()
      screen.username.value = "joshaber"
      #expect(screen.validations == 2)
    }

    #expect(lives.count == 0)
  }

  @Test func aDerivedSignalNeedsNoReferenceToItsObject() {
    let username = MutableProperty("")

    let validated = username.signal.map { !$0.isEmpty }.recorded()
    username.value = "joshaber"

    #expect(validated.values == [false, true])
  }

  @Test func aLiftedMethodNeedsNoReferenceToItsObject() {
    final class Form: Sendable {
      let console = Console()
      func validate(_ username: String) { console.print("validate '\(username)'") }
    }
    let username = MutableProperty("")
    let form = Form()

    lift(Form.validate, on: form, username.signal)
    username.value = "joshaber"

    #expect(form.console.lines == ["validate ''", "validate 'joshaber'"])
  }

  @Test func neitherTheSignalNorTheDisposableHasToBeRetained() {
    let console = Console()
    let time = TestScheduler()
    do { Server(console, time).answer("request", 1).subscribe(failed: { _ in }) }

    do {
      _ = Server(console, time).answer("second request", 2)
        .subscribe(next: { console.print("\($0)") }, failed: { _ in })
    }
    time.run()

    #expect(console.lines == ["begin request", "begin second request", "2"])
  }
}
