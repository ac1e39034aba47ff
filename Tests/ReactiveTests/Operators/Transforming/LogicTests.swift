import Reactive
import ReactiveTesting
import Testing

@Suite struct LogicTests {
  private static let truth: [Character: String] = ["t": "true", "f": "false"]

  @Test func negatesEachValue() {
    expectMarbles("-t-f-#", "-f-t-#", where: Self.truth) { $0.map { $0 == "t" }.negate() }
  }

  @Test func combinesTheLatestValuesOfTwo() {
    expectMarbles("-t-----f-|", "---f-t----|", "---f-t-f--|", where: Self.truth) { a, b in
      a.map { $0 == "t" }.and(b.map { $0 == "t" })
    }
    expectMarbles("-t-----f-|", "---f-t-f-|", "---t-t-(tf)-|", where: Self.truth) { a, b in
      a.map { $0 == "t" }.or(b.map { $0 == "t" })
    }
  }

  @Test func waitsUntilAllHaveSent() {
    expectMarbles("-t-t-t---|", "------f--|", "------f--|", where: Self.truth) { a, b in
      Signal.all([a.map { $0 == "t" }, b.map { $0 == "t" }])
    }
    expectMarbles("-t-t-|", "---|", "-----|", where: Self.truth) { a, b in
      Signal.any([a.map { $0 == "t" }, b.map { $0 == "t" }])
    }
  }

  @Test func aFailureOfOneEndsAll() {
    expectMarbles("-t-#", "--t---|", "--t#", where: Self.truth) { a, b in
      a.map { $0 == "t" }.and(b.map { $0 == "t" })
    }
  }

  @Test(arguments: 0..<32)
  func allAndAnyFollowTheLatestValuesOfSeveralSignals(bits: Int) {
    let subjects = (0..<4).map { _ in Subject<Bool, Never>() }
    let all = Signal.all(subjects.map(\.signal)).recorded()
    let any = Signal.any(subjects.map(\.signal)).recorded()
    // First all signals send the same value; then each sends the value of its bit, one by one.
    var values = Array(repeating: bits & 16 == 0, count: 4)
    for (index, subject) in subjects.enumerated() { subject.send(values[index]) }
    var expected = [(all: values.allSatisfy { $0 }, any: values.contains(true))]
    for (index, subject) in subjects.enumerated() {
      values[index] = bits & (1 << index) != 0
      subject.send(values[index])
      expected.append((values.allSatisfy { $0 }, values.contains(true)))
    }
    #expect(all.values == expected.map(\.all))
    #expect(any.values == expected.map(\.any))
  }

  @Test func allOfNoSignalsIsTrueAndAnyIsFalse() {
    #expect(Signal<Bool, Never>.all([]).recorded().events == [.next(true), .completed])
    #expect(Signal<Bool, Never>.any([]).recorded().events == [.next(false), .completed])
  }

  @Test func itsDescriptionShowsOneOperator() {
    let a = Subject<Bool, Never>("a").signal
    let b = Subject<Bool, Never>("b").signal
    #expect("\(a.and(b))" == "a.and(b)")
    #expect("\(a.or(b.negate()))" == "a.or(b.negate())")
    #expect("\(Signal.all([a, b]))" == "all([a, b])")
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let a = Subject<Bool, Never>()
    let b = Subject<Bool, Never>()
    let seen = Recorder<Bool, Never>()
    let subscription = a.signal.and(b.signal).subscribe { value in
      seen.next(value)
      if value {
        b.send(false)
        #expect(seen.count == 1)
      }
    }
    a.send(true)
    b.send(true)
    #expect(seen.values == [true, false])
    subscription.dispose()
  }

  @Test func anEndlessInputCanBeEnded() {
    let truths = Signal<Bool, Never>.from(repeatElement(true, count: .max))
    let seen = Signal.any([.just(false), truths]).take(2).recorded()
    #expect(seen.events == [.next(true), .next(true), .completed])
  }

  @Test func endsWhenNoInputCanSend() {
    var first: Subject<Bool, Never>? = Subject()
    var second: Subject<Bool, Never>? = Subject()
    guard let a = first?.signal, let b = second?.signal else { return }
    let seen = a.or(b).recorded()
    first = nil
    #expect(!seen.isDisposed)
    second = nil
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
    withExtendedLifetime((first, second)) {}
  }

  @Test func waitingValuesAreDroppedOnDisposal() {
    let first = Subject<Bool, Never>()
    let second = Subject<Bool, Never>()
    let seen = Recorder<Bool, Never>()
    let held = SerialDisposable()
    held.inner = first.signal.or(second.signal).subscribe { value in
      seen.next(value)
      first.send(true)
      held.dispose()
    }
    first.send(false)
    second.send(false)
    #expect(seen.values == [false])
  }

  @Test func aFirstSignalThatFailsAtOnceKeepsTheSecondFromBeingSubscribedTo() {
    let starts = Counter()
    let second = Signal<Bool, TestFailure>.just(true).doStarted { starts.add() }
    let seen = Signal<Bool, TestFailure>.failed(TestFailure()).and(second).recorded()
    #expect(seen.failure == TestFailure())
    #expect(starts.value == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("negate") { source in source.map { $0 > 1 }.negate() }
    checkOperatorContract("and") { source in
      source.map { $0 > 1 }.and(.just(true))
    }
    checkOperatorContract("or") { source in source.map { $0 > 1 }.or(.just(false)) }
    checkOperatorContract("all") { source in Signal.all([.just(true), source.map { $0 > 1 }]) }
    checkOperatorContract("any") { source in Signal.any([.just(true), source.map { $0 > 1 }]) }
  }
}
