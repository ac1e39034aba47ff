import Reactive
import ReactiveTesting
import Testing

@Suite struct ChooseTests {
  // MARK: if

  @Test func theConditionChooses() {
    expectMarbles("--t-----f---|", "---1-2-3-5-6|") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-2-3-4-"), else: time.cold("-5-6|"))
    }
  }

  @Test func anEqualConditionSubscribesAgain() {
    expectMarbles("t--t---|", "-1--1-2|") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-2|"), else: .never())
    }
  }

  @Test func completesAfterTheConditionAndTheChosenSignal() {
    expectMarbles("t|", "-1-2|") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-2|"), else: .never())
    }
    expectMarbles("--|", "--|") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-2|"), else: .never())
    }
  }

  @Test func aFailureOfAnyEndsAll() {
    expectMarbles("t---#", "-1-2#") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-2-3-4"), else: .never())
    }
    expectMarbles("t------", "-1-#") { signal, time in
      .if(signal.map { $0 == "t" }, then: time.cold("-1-#"), else: .never())
    }
  }

  @Test func anEndlessSignalChosenInADeliveryEnds() {
    let condition = Subject<Bool, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.if(condition.signal, then: endless(), else: first.signal).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { condition.send(true) }
      },
      completed: { seen.complete() }
    )
    condition.send(false)
    first.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  // MARK: switch

  @Test func theKeyChooses() {
    expectMarbles("-a---b---x---|", "--1-2-3-4-9--|") { signal, time in
      .switch(
        signal,
        cases: ["a": time.cold("-1-2-2-2"), "b": time.cold("-3-4-4-4")].mapValues { $0 },
        default: time.cold("-9|")
      )
    }
  }

  @Test func aKeyWithoutACaseFails() {
    let keys = Subject<Int, TestFailure>()
    let seen = Signal<String, TestFailure>
      .switch(
        keys.signal,
        cases: [1: .just("one"), 2: .just("two")],
        orFail: { TestFailure(code: $0) }
      )
      .recorded()
    keys.send(2)
    keys.send(1)
    keys.send(3)
    keys.send(1)
    #expect(seen.events == [.next("two"), .next("one"), .failed(TestFailure(code: 3))])
  }

  @Test func nilIsAKey() {
    let cases: [Int?: Signal<String, Never>] = [1: .just("one"), nil: .just("none")]
    let seen = Signal.switch(
      Signal<Int?, Never>.from([nil, 1, 2]),
      cases: cases,
      default: .just("other")
    )
    .recorded()
    #expect(seen.events == [.next("none"), .next("one"), .next("other"), .completed])
  }

  @Test func disposalEndsTheKeysAndTheChosenSignal() {
    let time = TestScheduler()
    let keys = MarbleSource(cold: "a", on: time)
    let chosen = MarbleSource(cold: "-1-1", on: time)
    let seen = Signal.switch(keys.signal, cases: ["a": chosen.signal], default: .empty()).recorded()
    time.advance(by: .frames(2))
    #expect(chosen.activeCount == 1)
    seen.dispose()
    #expect(keys.activeCount == 0)
    #expect(chosen.activeCount == 0)
    #expect(time.pendingCount == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("if") { source in
      .if(source.map { $0 > 2 }, then: Signal<Int, ContractFailure>.just(1), else: .just(2))
    }
    checkOperatorContract("switch") { source in
      .switch(source, cases: [2: Signal<Int, ContractFailure>.just(1)], default: .just(2))
    }
    checkOperatorContract("switch") { source in
      .switch(
        source.map { $0 * 0 },
        cases: [0: Signal<Int, ContractFailure>.just(1)],
        orFail: { _ in ContractFailure() }
      )
    }
  }
}
