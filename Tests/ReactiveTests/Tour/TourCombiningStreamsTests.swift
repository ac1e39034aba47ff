import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Basic Operators, section "Combining streams": most of them
/// as a list and as a signal.
@Suite struct TourCombiningStreamsTests {
  private let letters = words("A B C D E F G H I")
  private let numbers = words("1 2 3 4 5 6 7 8 9")

  @Test func concatenatingAppendsOneToTheOther() {
    let expected = words("A B C D E F G H I 1 2 3 4 5 6 7 8 9")

    let concatenated = letters.lazyList.concat(numbers.lazyList)
    #expect(Array(concatenated) == expected)

    let signal = Signal<String, Never>.from(letters).concat(.from(numbers))
    #expect(signal.recorded().values == expected)
  }

  @Test func flatteningSequencesConcatenatesThem() {
    let sequenceOfSequences = [letters.lazyList, numbers.lazyList].lazyList

    let flattened = sequenceOfSequences.flatten()

    #expect(Array(flattened) == words("A B C D E F G H I 1 2 3 4 5 6 7 8 9"))
  }

  @Test func flatteningSignalsMergesThem() {
    let console = Console()
    let letters = Subject<String, Never>()
    let numbers = Subject<String, Never>()
    let both = [letters.signal, numbers.signal]
    let signalOfSignals = Signal<Signal<String, Never>, Never>.create { observer in
      for signal in both { observer.send(signal) }
      observer.complete()
    }

    signalOfSignals.flatten().subscribe { console.print($0) }
    letters.send("A")
    numbers.send("1")
    letters.send("B")
    letters.send("C")
    numbers.send("2")

    #expect(console.output == "A 1 B C 2")
  }

  @Test func flatMapExtendsASequence() {
    let expected = words("1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9")

    let extended = numbers.lazyList.flatMap { [$0, $0].lazyList }
    #expect(Array(extended) == expected)

    let signal = Signal<String, Never>.from(numbers).flatMap { Signal.from([$0, $0]) }
    #expect(signal.recorded().values == expected)
  }

  @Test func flatMapEditsASequence() {
    let isOdd: @Sendable (String) -> Bool = { !(Int($0) ?? 0).isMultiple(of: 2) }

    let edited = numbers.lazyList.flatMap { number -> LazyList<String> in
      isOdd(number) ? .just(number + "_") : .empty()
    }
    #expect(Array(edited) == words("1_ 3_ 5_ 7_ 9_"))

    let signal = Signal<String, Never>.from(numbers).flatMap { number -> Signal<String, Never> in
      isOdd(number) ? .just(number + "_") : .empty()
    }
    #expect(signal.recorded().values == words("1_ 3_ 5_ 7_ 9_"))
  }

  @Test func flatMapStartsWorkForEachValueAndCompletesWhenAllIsDone() {
    let console = Console()
    let time = TestScheduler()
    let database = Server(console, time)

    Signal<String, Never>.from(words("A B C"))
      .flatMap { letter in database.answer("save \(letter)", letter) }
      .subscribe(
        failed: { console.print("\($0)") },
        completed: { console.print("All database entries saved successfully.") }
      )
    #expect(console.lines == ["begin save A", "begin save B", "begin save C"])

    time.advance(by: .seconds(1))
    #expect(console.lines.dropFirst(3) == ["All database entries saved successfully."])
  }
}
