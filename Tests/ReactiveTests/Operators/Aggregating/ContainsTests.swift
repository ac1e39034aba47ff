import Reactive
import ReactiveTesting
import Testing

@Suite struct ContainsTests {
  private static let legend: [Character: String] = ["t": "true", "f": "false"]

  @Test func sendsTheAnswerAsSoonAsItIsKnown() {
    expectMarbles("-1-2-3-|", "---(t|)", where: Self.legend) { $0.contains("2") }
    expectMarbles("-1-2-3-|", "---(t|)", where: Self.legend) { $0.contains(where: { $0 > "1" }) }
    expectMarbles("-1-2-3-|", "-------(f|)", where: Self.legend) { $0.contains("9") }
    expectMarbles("-1-|", "---(f|)", where: Self.legend) { $0.contains(where: { _ in false }) }
    expectMarbles("-|", "-(f|)", where: Self.legend) { $0.contains(where: { _ in true }) }
  }

  @Test func aFailureIsForwardedWithoutAnAnswer() {
    expectMarbles("-1-#", "---#") { $0.contains("9") }
    expectMarbles("-1-#", "---#") { $0.contains(where: { _ in false }) }
  }

  @Test func endsItsSourceWithTheAnswer() {
    let calls = Counter()
    let seen = endless().contains(where: { value in calls.add() > 0 && value == 2 }).recorded()
    #expect(seen.events == [.next(true), .completed])
    #expect(calls.value == 3)
    #expect(endless().contains(5).recorded().events == [.next(true), .completed])
  }

  @Test func sendsOneAnswerIfItsHandlerSendsMoreValues() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Bool, Never>()
    subject.signal.contains(1).subscribe(
      next: { answer in
        seen.next(answer)
        subject.send(1)
        subject.complete()
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    #expect(seen.events == [.next(true), .completed])
  }

  @Test func findsNil() {
    #expect(Signal<Int?, Never>.from([1, nil]).contains(nil).recorded().values == [true])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("contains", .endsEarly) { $0.contains(2) }
    checkOperatorContract("contains") { $0.contains(99) }
    checkOperatorContract("contains(where:)", .endsEarly) { $0.contains(where: { $0 == 2 }) }
    checkOperatorContract("contains(where:)") { $0.contains(where: { _ in false }) }
  }
}
