import Reactive
import ReactiveTesting
import Testing

@Suite struct BufferTests {
  private static let names: [Character: String] = [
    "a": #"["1", "2"]"#, "b": #"["3", "4"]"#, "c": #"["5"]"#, "d": #"["2", "3"]"#,
    "e": #"["4", "5"]"#, "f": #"["4"]"#, "g": #"["1"]"#,
  ]

  @Test func aListIsSentWithItsLastValue() {
    expectMarbles("-1-2-3-4-5-|", "---a---b---(c|)", where: Self.names) { $0.buffer(count: 2) }
    expectMarbles("-1-2-3-4-5-|", "---a---b---(c|)", where: Self.names) { $0.collect(count: 2) }
    expectMarbles("-1-2-|", "---a-|", where: Self.names) { $0.buffer(count: 2) }
    expectMarbles("--|", "--|") { $0.buffer(count: 2) }
  }

  @Test func listsCanOverlap() {
    // The lists are [1, 2], [2, 3], [3, 4] and the incomplete [4].
    expectMarbles("-1-2-3-4-|", "---a-d-b-(f|)", where: Self.names) {
      $0.buffer(count: 2, skip: 1)
    }
    let seen = Signal<Int, Never>.from(1...6).buffer(count: 4, skip: 2).recorded()
    #expect(seen.values == [[1, 2, 3, 4], [3, 4, 5, 6], [5, 6]])
    let rest = Signal<Int, Never>.from(1...4).buffer(count: 3, skip: 1).recorded()
    #expect(rest.values == [[1, 2, 3], [2, 3, 4], [3, 4], [4]])
  }

  @Test func valuesBetweenListsCanBeSkipped() {
    expectMarbles("-1-2-3-4-5-|", "---a-----e-|", where: Self.names) {
      $0.buffer(count: 2, skip: 3)
    }
    let seen = Signal<Int, Never>.from(1...7).buffer(count: 2, skip: 3).recorded()
    #expect(seen.values == [[1, 2], [4, 5], [7]])
  }

  @Test(arguments: 1...4, 1...5) func listsEqualSlicesOfTheValues(count: Int, skip: Int) {
    for length in 0...9 {
      let values = Array(0..<length)
      let expected = stride(from: 0, to: length, by: skip).map { start in
        Array(values[start..<min(start + count, length)])
      }
      let seen = Signal<Int, Never>.from(values).buffer(count: count, skip: skip).recorded()
      #expect(seen.values == expected)
    }
  }

  @Test func aFailureDropsCollectedValues() {
    expectMarbles("-1-2-3-#", "---a---#", where: Self.names) { $0.buffer(count: 2) }
    expectMarbles("-1-2-3-#", "-------#") { $0.collect(until: { $0.count == 9 }) }
    expectMarbles("-1-2-#", "x", "-----#") { $0.buffer(boundary: $1.skip(1)) }
  }

  /// Contract rule 11: the boundary could still end its list, so that list is sent; a counted list
  /// can no longer become full, so it is dropped.
  @Test func onlyABoundaryListIsSentWhenTheSourceIsGone() {
    let counted = Recorder<[Int], Never>()
    let divided = Recorder<[Int], Never>()
    let boundary = Subject<Void, Never>()
    do {
      let subject = Subject<Int, Never>()
      counted.record(subject.signal.buffer(count: 2))
      divided.record(subject.signal.buffer(boundary: boundary.signal))
      subject.send(1)
    }
    #expect(counted.events.isEmpty && counted.isDisposed)
    #expect(divided.events == [.next([1])] && divided.isDisposed)
  }

  @Test func disposalFromInsideTheFirstRemainingListDropsTheOthers() {
    let seen = Signal<Int, Never>.from([1, 2]).buffer(count: 3, skip: 1).take(1).recorded()
    #expect(seen.events == [.next([1, 2]), .completed])
  }

  // MARK: By a predicate

  @Test func theLastValueBelongsToTheListItCompletes() {
    expectMarbles("-1-2-3-4-5-|", "---a---b---(c|)", where: Self.names) {
      $0.collect(until: { $0.count == 2 })
    }
    expectMarbles("|", "|") { $0.collect(until: { _ in true }) }
  }

  @Test func aValueThatDoesNotBelongBeginsTheNextList() {
    expectMarbles("-1-2-1-5-|", "-----a---(b|)", where: ["a": "12", "b": "15"]) {
      $0.collect(while: { $1 > $0.last ?? "" }).map { $0.joined() }
    }
    expectMarbles("-1-2-|", "---1-(2|)") { $0.collect(while: { _, _ in false }).map { $0[0] } }
    expectMarbles("|", "|") { $0.collect(while: { _, _ in false }) }
  }

  @Test func theFirstValueOfAListIsNotTested() {
    let lists = Recorder<[Int], Never>()
    Signal<Int, Never>.from([1, 2])
      .collect(while: { collected, _ in
        lists.next(collected)
        return false
      })
      .subscribe()
    #expect(lists.values == [[1]])
  }

  // MARK: By a boundary

  @Test func aBoundarySendsTheValuesSinceTheLastOne() {
    expectMarbles(
      "-1-2--3--4-|",
      "----x--xx---",
      "----a--de--(f|)",
      where: [
        "a": #"["1", "2"]"#, "d": #"["3"]"#, "e": "[]", "f": #"["4"]"#,
      ]
    ) {
      $0.buffer(boundary: $1)
    }
    expectMarbles("-1-2-|", "----x-", "----a|", where: Self.names) { $0.buffer(boundary: $1) }
  }

  @Test(arguments: ["--|", "--#", "---"] as [Marbles])
  func theEndOfTheBoundaryEndsNoList(boundary: Marbles) {
    expectMarbles("-1-2-|", boundary, "-----(a|)", where: Self.names) { $0.buffer(boundary: $1) }
  }

  @Test func theBoundaryEndsWithTheSource() {
    let time = TestScheduler()
    let boundary = MarbleSource(cold: "--x--x--x--x", on: time)
    _ = time.cold("-1-2|").buffer(boundary: boundary.signal).recorded()
    time.run()
    #expect(boundary.subscriptions.map(\.ended) == [.frames(4)])
  }

  @Test func endlessSourcesCanBeEnded() {
    let counted = endless().buffer(count: 2).take(2).recorded()
    #expect(counted.values == [[0, 1], [2, 3]])
    let tested = endless().collect(until: { $0.count == 2 }).take(2).recorded()
    #expect(tested.values == [[0, 1], [2, 3]])
    let divided = Signal<Int, Never>.never().buffer(boundary: endless()).take(2).recorded()
    #expect(divided.values == [[], []])
    let boundary = Subject<Void, Never>()
    let source = endless().doNext { if $0 == 3 { boundary.send() } }
    #expect(source.buffer(boundary: boundary.signal).take(1).recorded().values == [[0, 1, 2]])
  }

  @Test func aBoundarySentFromInsideADeliveryFollowsIt() {
    let source = Subject<Int, Never>()
    let boundary = Subject<Void, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = source.signal.buffer(boundary: boundary.signal).subscribe { list in
      if list == [1] {
        source.send(2)
        boundary.send()
        #expect(seen.count == 0)
      }
      seen.next(list)
    }
    source.send(1)
    boundary.send()
    #expect(seen.values == [[1], [2]])
    subscription.dispose()
  }

  @Test(arguments: ["count", "until", "while", "boundary"])
  func collectedValuesAreFreed(kind: String) {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let lists: Signal<[LifeCount.Token], Never> =
      switch kind {
      case "count": subject.signal.buffer(count: 5)
      case "until": subject.signal.collect(until: { _ in false })
      case "while": subject.signal.collect(while: { _, _ in true })
      default: subject.signal.buffer(boundary: Signal<Int, Never>.never())
      }
    let subscription = lists.subscribe()
    for _ in 0..<3 { subject.send(lives.token()) }
    #expect(lives.count == 3)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test(.timeLimit(.minutes(30))) func longListsAreCollectedInPlace() {
    let values = Signal<Int, Never>.from(0..<300_000)
    #expect(values.collect(until: { _ in false }).recorded().values.map(\.count) == [300_000])
    #expect(values.collect(while: { _, _ in true }).recorded().values.map(\.count) == [300_000])
    #expect(values.collect(count: .max).recorded().values.map(\.count) == [300_000])
    let divided = values.buffer(boundary: Signal<Int, Never>.never()).recorded()
    #expect(divided.values.map(\.count) == [300_000])
  }

  @Test(.tags(.stress)) func aBoundaryOnAnotherThreadLosesNoValue() {
    let count = scaledCount(20_000)
    let source = Subject<Int, Never>()
    let boundary = Subject<Void, Never>()
    let seen = Recorder<[Int], Never>()
    seen.record(source.signal.buffer(boundary: boundary.signal))
    onPlainThreads(2) { index in
      if index == 0 {
        for value in 0..<count { source.send(value) }
      } else {
        for _ in 0..<count / 10 { boundary.send() }
      }
    }
    source.complete()
    #expect(seen.values.flatMap(\.self) == Array(0..<count))
  }

  @Test func countsBelowOneTrap() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().buffer(count: 0) }
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().buffer(count: 1, skip: 0)
    }
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().collect(count: 0) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("buffer(count:)") { $0.buffer(count: 2) }
    checkOperatorContract("buffer(count:)") { $0.buffer(count: 3, skip: 1) }
    checkOperatorContract("collect(count:)") { $0.collect(count: 2) }
    checkOperatorContract("collect(until:)") { $0.collect(until: { $0.count == 2 }) }
    checkOperatorContract("collect(while:)") { $0.collect(while: { $0.count < 2 && $1 > 0 }) }
    checkOperatorContract("buffer(boundary:)") { source in
      source.buffer(boundary: Signal<Int, Never>.never())
    }
  }
}
