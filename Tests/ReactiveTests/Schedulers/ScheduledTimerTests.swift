import Reactive
import ReactiveTesting
import Testing

@Suite struct ScheduledTimerTests {
  @Test func repeatsOnAGridThatDoesNotDrift() {
    let clock = ManualClock()
    let fires = Counter()
    let timer = clock.schedule(every: .milliseconds(100)) { fires.add() }
    #expect(clock.nextDelay == .milliseconds(100))
    clock.runNext(at: .milliseconds(130))
    #expect(clock.nextDelay == .milliseconds(70))
    clock.runNext(at: .milliseconds(205))
    #expect(clock.nextDelay == .milliseconds(95))
    clock.runNext(at: .milliseconds(300))
    #expect(clock.nextDelay == .milliseconds(100))
    #expect(fires.value == 3)
    timer.dispose()
  }

  @Test func skipsMissedFires() {
    let clock = ManualClock()
    let fires = Counter()
    let timer = clock.schedule(every: .milliseconds(100)) { fires.add() }
    clock.runNext(at: .milliseconds(950))
    #expect(fires.value == 1)
    #expect(clock.nextDelay == .milliseconds(50))
    timer.dispose()
  }

  @Test func anIntervalThatIsTooSmallIsDueAtOnce() {
    let clock = ManualClock()
    let fires = Counter()
    let atom = Duration(secondsComponent: 0, attosecondsComponent: 1)
    let timer = clock.schedule(every: atom) { fires.add() }
    for second in 1...3 { clock.runNext(at: .seconds(second * 100)) }
    #expect(fires.value == 3)
    #expect(clock.nextDelay == .zero)
    timer.dispose()
  }

  @Test func firesOnceAfterADelay() {
    let time = TestScheduler()
    let fires = Recorder<Duration, Never>()
    time.schedule(after: .seconds(3)) { fires.next(time.now) }
    time.advance(by: .seconds(10))
    #expect(fires.values == [.seconds(3)])
  }

  @Test func aTimerThatWasCancelledFreesItsClosure() {
    let lives = LifeCount()
    let time = TestScheduler()
    let timer = time.schedule(every: .seconds(1)) { [token = lives.token()] in token.touch() }
    time.advance(by: .seconds(2))
    timer.dispose()
    #expect(lives.count == 0)
    #expect(timer.isDisposed)
    #expect(time.pendingCount == 0)
  }

  @Test func anObjectHeldByItsClosureMayDisposeOfTheTimerWhenReleased() {
    let time = TestScheduler()
    let handle = Box<any Disposable>()
    let released = Counter()
    let parting = Box(
      DeinitAction {
        handle.value?.dispose()
        released.add()
      }
    )
    handle.value = time.schedule(every: .seconds(1)) { [held = parting.value] in
      withExtendedLifetime(held) {}
    }
    parting.value = nil
    handle.value?.dispose()
    #expect(released.value == 1)
    #expect(handle.value?.isDisposed == true)
  }

  @Test func aTimerThatFiredOnceFreesItsClosure() {
    let lives = LifeCount()
    let time = TestScheduler()
    let timer = time.schedule(after: .seconds(1)) { [token = lives.token()] in token.touch() }
    time.run()
    #expect(lives.count == 0)
    #expect(timer.isDisposed)
  }

  @Test func disposalFromInsideAFireStopsIt() {
    let time = TestScheduler()
    let timer = SerialDisposable()
    let fires = Counter()
    timer.inner = time.schedule(every: .seconds(1)) { if fires.add() == 2 { timer.dispose() } }
    #expect(time.run())
    #expect(fires.value == 2)
  }

  @Test func droppingTheDisposableDoesNotStopIt() {
    let time = TestScheduler()
    let fires = Counter()
    do { _ = time.schedule(every: .seconds(1)) { fires.add() } }
    time.advance(by: .seconds(3))
    #expect(fires.value == 3)
    time.cancelAll()
  }

  @Test func anIntervalOfZeroTraps() async {
    await #expect(processExitsWith: .failure) { TestScheduler().schedule(every: .zero) {} }
  }

  @Test func aSchedulerThatDoesNotUseLeewayFiresOnTime() {
    let time = TestScheduler()
    let fires = Recorder<Duration, Never>()
    time.schedule(every: .seconds(2), leeway: .seconds(1)) { fires.next(time.now) }
    time.advance(by: .seconds(4))
    #expect(fires.values == [.seconds(2), .seconds(4)])
    time.cancelAll()
  }
}
