import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Design Guidelines, sections "The RACSequence contract" and
/// "The RACSignal contract".
@Suite struct TourContractTests {
  @Test func aSequenceIsEvaluatedWhenAValueIsNeeded() {
    let evaluated = Counter()
    let sequence = ["A", "B", "C"].lazyList.map { string in
      evaluated.add()
      return string + "_"
    }

    #expect(evaluated.value == 0)
    #expect(sequence.head == "A_")
    #expect(sequence.head == "A_")
    #expect(evaluated.value == 1)
    #expect(sequence.tail?.head == "B_")
    #expect(evaluated.value == 2)
  }

  @Test func eagerSequencesAndSequencesDerivedFromThemAreEvaluatedCompletely() {
    let console = Console()
    let eager = ["A", "B", "C"].lazyList.eager
    let derived = eager.map { string in
      console.print(string)
      return string + "_"
    }

    #expect(console.output == "A B C")
    #expect(Array(derived) == ["A_", "B_", "C_"])
    #expect(console.output == "A B C")
  }

  @Test func evaluationBlocksTheCallerOrRunsOnASchedulerAsASignal() {
    let console = Console()
    let background = TestScheduler()
    let sequence = ["A", "B"].lazyList.map { string in
      console.print(string)
      return string + "_"
    }

    let seen = sequence.signal(on: background).recorded()
    #expect(console.output == "")
    background.run()
    #expect(seen.values == ["A_", "B_"])
    #expect(console.output == "A B")
  }

  @Test func theEffectsOfASequenceOccurOnce() {
    let console = Console()
    let sequence = ["A", "B", "C"].lazyList.map { string in
      console.print(string)
      return string + "_"
    }

    // Logs "A" during this call.
    #expect(sequence.head == "A_")
    #expect(console.output == "A")
    // Logs "B" during this call.
    #expect(sequence.tail?.head == "B_")
    #expect(console.output == "A B")
    // Does not log anything.
    #expect(sequence.tail?.head == "B_")
    #expect(console.output == "A B")

    let derivedSequence = sequence.map { "_" + $0 }
    // Still does not log anything, because "B_" was evaluated before.
    #expect(derivedSequence.tail?.head == "_B_")
    #expect(console.output == "A B")
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

  /// Not a sample, but a test of the last sections of the contract: an upload that is disposed of.
  @Test func disposalCancelsWorkInProgressAndCompletionDisposes() {
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
