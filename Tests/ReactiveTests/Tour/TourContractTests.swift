import Reactive
import ReactiveTesting
import Testing

/// Design Guidelines, "The RACSequence contract" and "The RACSignal contract".
@Suite struct TourContractTests {
  /// A lazy sequence of the standard library in place of the sample's own.
  @Test func aSequenceIsEvaluatedWhenAValueIsNeeded() {
    let evaluated = Counter()
    let sequence = ["A", "B", "C"].lazy.map { string in
      evaluated.add()
      return string + "_"
    }

    #expect(evaluated.value == 0)
    #expect(sequence.first == "A_")
    #expect(evaluated.value == 1)
    #expect(sequence.dropFirst().first == "B_")
    #expect(evaluated.value == 2)
  }

  /// The sequence of the sample keeps what it has evaluated; here a signal that replays does.
  @Test func theEffectsOfWhatIsKeptOccurOnce() {
    let console = Console()
    let kept = Signal<String, Never>.from(["A", "B", "C"])
      .map { string in
        console.print(string)
        return string + "_"
      }
      .replayLazily()
    #expect(console.output == "")

    #expect(kept.recorded().values == ["A_", "B_", "C_"])
    #expect(console.output == "A B C")

    let derived = kept.map { "_" + $0 }
    #expect(kept.recorded().values == ["A_", "B_", "C_"])
    #expect(derived.recorded().values == ["_A_", "_B_", "_C_"])
    #expect(console.output == "A B C")
  }

  @Test func eachSubscriptionRunsTheWorkOfTheSignalAnew() {
    let console = Console()
    let number = Counter()
    let signal = Signal<Int, Never>.create { observer in
      observer.send(number.add())
      observer.complete()
    }

    signal.subscribe { console.print("subscriber one: \($0)") }
    signal.subscribe { console.print("subscriber two: \($0)") }

    #expect(console.lines == ["subscriber one: 1", "subscriber two: 2"])
  }

  @Test func eachSubscriptionRunsTheClosuresOfOperatorsAnew() {
    let console = Console()
    let missilesToLaunch = Counter()
    let processed = Signal<String, Never>.just("missiles")
      .map { "will launch \(missilesToLaunch.add()) \($0)" }

    processed.subscribe { console.print("First \($0)") }
    processed.subscribe { console.print("Second \($0)") }

    #expect(console.lines == ["First will launch 1 missiles", "Second will launch 2 missiles"])
  }

  /// No sample, but the last sections of the contract: an upload that is disposed of.
  @Test func disposalCancelsTheWorkInProgressAndTheEndDoesSoByItself() {
    let console = Console()
    let time = TestScheduler()
    let upload = Server(console, time).answer("upload", true)

    let first = upload.subscribe(failed: { _ in })
    first.dispose()
    #expect(console.lines == ["begin upload", "cancel upload"])
    #expect(time.pendingCount == 0)

    let second = upload.subscribe(failed: { _ in })
    time.run()
    #expect(second.isDisposed)
    #expect(console.lines == ["begin upload", "cancel upload", "begin upload"])
  }
}
