import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Basic Operators, section "Combining signals".
@Suite struct TourCombiningSignalsTests {
  @Test func sequencingRunsTheEffectsOfOneThenForwardsTheOther() {
    let console = Console()
    let letters = Signal<String, Never>.from(words("A B C D E F G H I"))

    let sequenced =
      letters
      .doNext { console.print($0) }
      .then { .from(words("1 2 3 4 5 6 7 8 9")) }

    #expect(sequenced.recorded().values == words("1 2 3 4 5 6 7 8 9"))
    #expect(console.output == "A B C D E F G H I")
  }

  @Test func mergingForwardsValuesAsTheyArrive() {
    let console = Console()
    let letters = Subject<String, Never>()
    let numbers = Subject<String, Never>()

    merge(letters.signal, numbers.signal).subscribe { console.print($0) }
    letters.send("A")
    numbers.send("1")
    letters.send("B")
    letters.send("C")
    numbers.send("2")

    #expect(console.output == "A 1 B C 2")
  }

  @Test func combiningSendsTheLatestOfBothAtEachChange() {
    let console = Console()
    let letters = Subject<String, Never>()
    let numbers = Subject<String, Never>()

    combineLatest(letters.signal, numbers.signal)
      .map { letter, number in letter + number }
      .subscribe { console.print($0) }
    letters.send("A")
    letters.send("B")
    numbers.send("1")
    numbers.send("2")
    letters.send("C")
    numbers.send("3")

    #expect(console.output == "B1 B2 C2 C3")
  }

  @Test func switchingForwardsTheLatestSignalOnly() {
    let console = Console()
    let letters = Subject<String, Never>()
    let numbers = Subject<String, Never>()
    let signalOfSignals = Subject<Signal<String, Never>, Never>()

    signalOfSignals.signal.switchToLatest().subscribe { console.print($0) }
    signalOfSignals.send(letters.signal)
    letters.send("A")
    letters.send("B")

    signalOfSignals.send(numbers.signal)
    letters.send("C")
    numbers.send("1")

    signalOfSignals.send(letters.signal)
    numbers.send("2")
    letters.send("D")

    #expect(console.output == "A B 1 D")
  }
}
