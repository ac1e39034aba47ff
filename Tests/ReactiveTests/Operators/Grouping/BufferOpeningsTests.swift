import Reactive
import ReactiveTesting
import Testing

@Suite struct BufferOpeningsTests {
  /// Buffers the source in lists, each begun by a value of `openings` and ended by `closing`.
  private static func lists(
    _ source: Marbles,
    _ openings: Marbles,
    _ closing: Marbles
  ) -> Recorder<[String], MarbleFailure> {
    let time = TestScheduler()
    let seen = time.cold(source)
      .buffer(openings: time.cold(openings)) { _ in time.cold(closing) }
      .recorded(at: time)
    time.run()
    return seen
  }

  @Test func listsOverlap() {
    let seen = Self.lists("-1-2-3-4-5-6-|", "--x-x---------", "----x--x")
    #expect(seen.values == [["2", "3"], ["3", "4"]])
    #expect(seen.entries.map(\.time) == [6, 8, 13].map { .frames($0) })
    #expect(seen.isCompleted)
  }

  @Test func completionOfTheClosingSignalEndsAListToo() {
    let seen = Self.lists("-1-2-3-4-5-6-|", "--x-----------", "----|")
    #expect(seen.values == [["2", "3"]])
    #expect(seen.entries.map(\.time) == [6, 13].map { .frames($0) })
  }

  @Test func aFailureOfTheClosingSignalEndsNothing() {
    let seen = Self.lists("-1-2-3-4-|", "--x-------", "----#")
    #expect(seen.values == [["2", "3", "4"]])
    #expect(seen.entries.map(\.time) == [9, 9].map { .frames($0) })
  }

  @Test(arguments: ["--x|", "--x#", "--x-"] as [Marbles])
  func theEndOfTheOpeningsEndsNoList(openings: Marbles) {
    #expect(Self.lists("-1-2-3-4-|", openings, "----x").values == [["2", "3"]])
  }

  @Test func completionSendsTheListsInTheOrderTheyBegan() {
    let seen = Self.lists("-1-2-3-|", "x-x-x-", "-------------x")
    #expect(seen.values == [["1", "2", "3"], ["2", "3"], ["3"]])
    #expect(seen.isCompleted)
  }

  @Test func aFailureDropsTheLists() {
    let seen = Self.lists("-1-2-3-#", "x-----", "-------------x")
    #expect(seen.values.isEmpty)
    #expect(seen.failure != nil)
  }

  @Test func listsCanBeEmpty() {
    #expect(Self.lists("-----1-|", "x-----", "---x").values == [[]])
    #expect(Self.lists("-----1-|", "x-----", "|").values == [[]])
  }

  @Test func theClosingSignalsAreDisposedOfWithTheSubscription() {
    let time = TestScheduler()
    let openings = MarbleSource(cold: "x-x-x-", on: time)
    let closing = MarbleSource(cold: "------------x", on: time)
    let seen = time.cold("-1-2-3-|").buffer(openings: openings.signal) { _ in closing.signal }
      .recorded()
    time.advance(by: .frames(3))
    #expect(closing.activeCount == 2)
    seen.dispose()
    #expect(closing.activeCount == 0)
    #expect(openings.activeCount == 0)
  }

  @Test func aClosingSignalEndsWithItsFirstValue() {
    let time = TestScheduler()
    let closing = MarbleSource(cold: "--x-x-x-x", on: time)
    let seen = time.cold("-1-2-3-|").buffer(openings: time.cold("x----")) { _ in closing.signal }
      .recorded()
    time.run()
    #expect(closing.subscriptions.map(\.ended) == [.frames(2)])
    #expect(seen.values == [["1"]])
  }

  @Test func endlessClosingSignalsAndOpeningsEnd() {
    let seen = Signal<Int, Never>.never().buffer(openings: endless()) { _ in endless() }.take(3)
      .recorded()
    #expect(seen.events == [.next([]), .next([]), .next([]), .completed])
  }

  @Test func eventsSentFromInsideADeliveryFollowIt() {
    let source = Subject<Int, Never>()
    let openings = Subject<Int, Never>()
    let closing = Subject<Void, Never>()
    let seen = Recorder<[Int], Never>()
    source.signal.buffer(openings: openings.signal) { [signal = closing.signal] _ in signal }
      .subscribe(
        next: { list in
          seen.next(list)
          if list == [1] {
            openings.send(2)
            source.send(2)
          }
        },
        completed: { seen.complete() }
      )
    openings.send(1)
    source.send(1)
    closing.send()
    source.send(3)
    source.complete()
    #expect(seen.events == [.next([1]), .next([2, 3]), .completed])
  }

  @Test func heldValuesAreFreed() {
    let lives = LifeCount()
    let source = Subject<LifeCount.Token, Never>()
    let subscription = source.signal
      .buffer(openings: Signal<Int, Never>.just(1).concat(.never())) { _ in
        Signal<Int, Never>.never()
      }
      .subscribe()
    for _ in 0..<3 { source.send(lives.token()) }
    #expect(lives.count == 3)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test(.tags(.stress)) func valuesFromAnotherThreadAreNotLost() {
    let count = scaledCount(5_000)
    let source = Subject<Int, Never>()
    let openings = Subject<Int, Never>()
    let closings = Subject<Void, Never>()
    let seen = source.signal
      .buffer(openings: openings.signal.startWith(0)) { number in
        number == 0 ? .never() : closings.signal
      }
      .recorded()
    onPlainThreads(2) { index in
      if index == 0 {
        for value in 0..<count { source.send(value) }
      } else {
        for number in 1...100 {
          openings.send(number)
          closings.send()
        }
      }
    }
    source.complete()
    #expect(seen.count == 101)
    // The list of all values, which stays open until completion, need not be the last one: if an
    // opening waited in the gate, its list may miss its closing event and stay open, too.
    #expect(seen.values.contains(Array(0..<count)))
    for list in seen.values where !list.isEmpty {
      #expect(list == Array(list[0]..<list[0] + list.count))
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("buffer(openings:closing:)") { source in
      source.buffer(openings: Signal<Int, Never>.just(1).concat(.never())) { _ in
        Signal<Int, Never>.never()
      }
    }
    checkOperatorContract("buffer(openings:closing:)") { source, time in
      source.buffer(openings: Signal.interval(.seconds(1), on: time).take(2)) { _ in
        Signal<Void, Never>.timer(after: .seconds(1), on: time)
      }
    }
  }
}
