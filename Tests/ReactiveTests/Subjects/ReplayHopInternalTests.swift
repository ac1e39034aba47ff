import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct ReplayHopInternalTests {
  /// Counts where the replay of a subscription on a plain thread runs that is disposed of at once.
  private static func runAndDispose(_ here: Counter, _ elsewhere: Counter) {
    onPlainThread {
      let scope = UpstreamScope<Never> { _ in }
      let disposing = threadNumber()
      let ran = Latch()
      Sink<Int, Never>(scope, nil, nil) { _ in }.startReplay {
        (threadNumber() == disposing ? here : elsewhere).add()
        ran.signal()
      }
      scope.dispose()
      // This thread lives until then, so that no other has its number.
      #expect(ran.wait())
    }
  }

  @Test(.tags(.stress)) func disposalCancelsTheHopAndRunsTheReplayAtOnce() {
    let here = Counter()
    let elsewhere = Counter()
    var rounds = 0
    // Who is first is chance: on a slow day it is the other for long.
    while rounds < 300 || here.value == 0 && rounds < 100_000 {
      Self.runAndDispose(here, elsewhere)
      rounds += 1
    }
    #expect(here.value + elsewhere.value == rounds, "once each")
    #expect(here.value > 0)
  }

  @Test func aReplayOfWhatHasEndedRunsAtOnce() {
    onPlainThread {
      let scope = UpstreamScope<Never> { _ in }
      scope.dispose()
      let ran = Counter()
      Sink<Int, Never>(scope, nil, nil) { _ in }.startReplay { ran.add() }
      #expect(ran.value == 1)
    }
  }
}
