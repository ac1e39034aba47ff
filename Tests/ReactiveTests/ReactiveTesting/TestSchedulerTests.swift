import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct TestSchedulerTests {
  @Test func runsWorkInTheOrderOfTimeThenOfScheduling() {
    let time = TestScheduler()
    let order = Recorder<String, Never>(at: time)
    time.schedule(after: .seconds(2)) { order.next("c") }
    time.schedule(after: .seconds(1)) { order.next("a") }
    time.schedule(after: .seconds(2)) { order.next("d") }
    time.schedule(after: .seconds(1)) { order.next("b") }
    time.run()
    #expect(order.values == ["a", "b", "c", "d"])
    #expect(order.entries.map(\.time) == [.seconds(1), .seconds(1), .seconds(2), .seconds(2)])
  }

  @Test func runsNothingUntilTheTimeIsMoved() {
    let time = TestScheduler()
    let calls = Counter()
    time.schedule { calls.add() }
    #expect(calls.value == 0)
    #expect(time.pendingCount == 1)
    #expect(time.step())
    #expect(calls.value == 1)
    #expect(!time.step())
  }

  @Test func advancingRunsOnlyDueWork() {
    let time = TestScheduler()
    let calls = Recorder<Int, Never>(at: time)
    for second in 1...4 { time.schedule(after: .seconds(second)) { calls.next(second) } }
    time.advance(by: .milliseconds(2_500))
    #expect(calls.values == [1, 2])
    #expect(time.now == .milliseconds(2_500))
    time.advance(by: .milliseconds(500))
    #expect(calls.values == [1, 2, 3])
    time.cancelAll()
  }

  @Test func workScheduledByWorkRunsInTheSameAdvance() {
    let time = TestScheduler()
    let order = Recorder<String, Never>(at: time)
    time.schedule(after: .seconds(1)) {
      order.next("outer")
      time.schedule { order.next("at once") }
      time.schedule(after: .seconds(1)) { order.next("later") }
      time.schedule(after: .seconds(9)) { order.next("too late") }
    }
    time.advance(by: .seconds(3))
    #expect(order.values == ["outer", "at once", "later"])
    #expect(order.entries.map(\.time) == [.seconds(1), .seconds(1), .seconds(2)])
    time.cancelAll()
  }

  @Test func cancelledWorkIsNotRunAndDoesNotMoveTheTime() {
    let time = TestScheduler()
    let calls = Counter()
    let work = time.schedule(after: .seconds(5)) { calls.add() }
    time.schedule(after: .seconds(1)) { calls.add() }
    work.dispose()
    #expect(time.pendingCount == 1)
    #expect(time.run())
    #expect(calls.value == 1)
    #expect(time.now == .seconds(1))
  }

  @Test func runStopsAfterItsLimitIfATimerRepeatsForEver() {
    let time = TestScheduler()
    let timer = time.schedule(every: .seconds(1)) {}
    #expect(!time.run(atMost: 10))
    #expect(time.now == .seconds(10))
    timer.dispose()
    #expect(time.run())
  }

  @Test func itsWorkHasACurrentScheduler() {
    let seen = Recorder<Int, Never>()
    onPlainThread {
      let time = TestScheduler()
      time.schedule { seen.record(Signal.just(1)) }
      time.run()
      #expect(seen.values == [1])
    }
  }

  @Test func itsKindIsVirtualTime() { #expect(TestScheduler().identity.kind == .virtualTime) }

  @Test func itsNameAndItsFrameCanBeGiven() {
    let time = TestScheduler("background", frame: .milliseconds(100))
    #expect(time.identity.name == "background")
    #expect(time.frames(3) == .milliseconds(300))
    #expect(TestScheduler().frames(3) == .frames(3))
  }

  @Test func pendingWorkCanBeCancelled() {
    let lives = LifeCount()
    weak var forgotten: TestScheduler?
    do {
      let time = TestScheduler()
      forgotten = time
      let calls = Counter()
      time.schedule(every: .seconds(1)) { [token = lives.token()] in
        token.touch()
        calls.add()
      }
      time.advance(by: .seconds(2))
      #expect(calls.value == 2)
      time.cancelAll()
      #expect(time.pendingCount == 0)
      #expect(lives.count == 0)
      time.advance(by: .seconds(2))
      #expect(calls.value == 2)
      time.schedule { calls.add() }
      time.run()
      #expect(calls.value == 3)
    }
    #expect(forgotten == nil)
  }

  @Test func advancesToAnInstant() {
    let time = TestScheduler()
    let calls = Recorder<Int, Never>(at: time)
    for second in 1...3 { time.schedule(after: .seconds(second)) { calls.next(second) } }
    time.advance(to: .seconds(2))
    #expect(calls.values == [1, 2])
    #expect(time.now == .seconds(2))
    time.cancelAll()
  }

  @Test func timeThatRunsBackwardsTraps() async {
    await #expect(processExitsWith: .failure) {
      let time = TestScheduler()
      time.advance(to: .seconds(2))
      time.advance(to: .seconds(1))
    }
  }

  @Test func stepRunsTheGivenNumberOfPieces() {
    let time = TestScheduler()
    let calls = Recorder<Int, Never>(at: time)
    for second in 1...4 { time.schedule(after: .seconds(second)) { calls.next(second) } }
    #expect(time.step(0) == 0)
    #expect(time.step(3) == 3)
    #expect(calls.values == [1, 2, 3])
    #expect(time.now == .seconds(3))
    #expect(time.step(3) == 1)
  }

  @Test func itsStartCanBeGivenAndItCanBeRewound() async {
    let time = TestScheduler(startingAt: .seconds(100))
    let calls = Recorder<Int, Never>(at: time)
    #expect(time.now == .seconds(100))
    time.schedule(after: .seconds(10)) { calls.next(1) }
    time.rewind(by: .seconds(5))
    #expect(time.now == .seconds(95))
    time.advance(by: .seconds(10))
    #expect(calls.values.isEmpty)
    time.rewind(to: .seconds(20))
    time.schedule(after: .seconds(1)) { calls.next(0) }
    time.run()
    #expect(calls.values == [0, 1])
    #expect(calls.entries.map(\.time) == [.seconds(21), .seconds(110)])
    time.rewind()
    #expect(time.now == .zero)
    await #expect(processExitsWith: .failure) { TestScheduler().rewind(to: .seconds(1)) }
  }

  @Test func tasksRunAndSleepInVirtualTime() {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>(at: time)
    let task = Task(executorPreference: time) {
      for number in 1...3 {
        try await time.sleep(for: .seconds(1))
        seen.next(number)
      }
    }
    #expect(seen.values.isEmpty)
    time.advance(by: .seconds(2))
    #expect(seen.entries.map(\.time) == [.seconds(1), .seconds(2)])
    task.cancel()
    time.run()
    #expect(seen.values == [1, 2])
    #expect(time.now == .seconds(2))
  }

  @Test func aTaskReceivesValuesInVirtualTime() {
    let time = TestScheduler()
    let seen = Recorder<String, Never>(at: time)
    Task(executorPreference: time) {
      for try await value in time.cold("-1-2-|").values { seen.next(value) }
      seen.complete()
    }
    time.run()
    expectMarbles(seen, "-1-2-|")
  }

  @Test func anAsynchronousTestCanWaitUntilItsTasksWait() async throws {
    let time = TestScheduler()
    async let first = Signal<Int, Never>.just(1).delay(.seconds(1), on: time).first()
    async let second: Void = time.sleep(until: .seconds(1))
    await time.hasPending(2)
    time.advance(by: .seconds(1))
    #expect(await first == 1)
    try await second
    await time.hasPending(0)
  }

  @Test func aSleepEndsWithItsTask() async {
    let time = TestScheduler()
    let task = Task { try await time.sleep(for: .seconds(1)) }
    await time.hasPending(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.pendingCount == 0)
  }

  @Test func anAlreadyCancelledTaskDoesNotSleep() {
    let time = TestScheduler()
    let seen = Recorder<String, Never>(at: time)
    let task = Task(executorPreference: time) {
      do { try await time.sleep(for: .seconds(1)) } catch { seen.next("\(error)") }
    }
    task.cancel()
    time.run()
    #expect(seen.values == ["CancellationError()"])
    #expect(time.now == .zero)
  }
}
