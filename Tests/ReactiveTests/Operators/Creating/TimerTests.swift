import Reactive
import ReactiveTesting
import Testing

@Suite struct TimerTests {
  @Test func sendsOneValueThenCompletes() {
    let time = TestScheduler()
    let seen = Signal.timer(after: .seconds(3), on: time).map { 1 }.recorded(at: time)
    time.run()
    #expect(seen.events == [.next(1), .completed])
    #expect(seen.entries.map(\.time) == [.seconds(3), .seconds(3)])
  }

  @Test func everySubscriptionHasASeparateTimer() {
    let time = TestScheduler()
    let timer = Signal.timer(after: .seconds(2), on: time).map { 1 }
    let first = timer.recorded(at: time)
    time.advance(by: .seconds(1))
    let second = timer.recorded(at: time)
    time.run()
    #expect(first.entries.map(\.time) == [.seconds(2), .seconds(2)])
    #expect(second.entries.map(\.time) == [.seconds(3), .seconds(3)])
  }

  @Test func disposalStopsTheTimer() {
    let time = TestScheduler()
    let seen = Signal.timer(after: .seconds(2), on: time).map { 1 }.recorded()
    seen.dispose()
    #expect(time.pendingCount == 0)
    time.run()
    #expect(seen.events.isEmpty)
  }

  @Test func disposalFromInsideTheValuePreventsCompletion() {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>()
    let held = SerialDisposable()
    held.inner = Signal.timer(after: .zero, on: time).subscribe(
      next: {
        seen.next(1)
        held.dispose()
      },
      completed: { seen.complete() }
    )
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.next(1)])
  }
}
