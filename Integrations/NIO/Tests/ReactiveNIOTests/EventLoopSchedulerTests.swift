import NIOCore
import NIOEmbedded
import NIOPosix
import Reactive
import ReactiveNIO
import ReactiveTesting
import Testing

@Suite struct EventLoopSchedulerTests {
  @Test func workRunsInOrderWhenTheLoopRuns() {
    let loop = EmbeddedEventLoop()
    let seen = Signal<Int, Never>.from(1...3).deliver(on: loop.scheduler()).recorded()
    #expect(seen.events.isEmpty)
    loop.run()
    #expect(seen.values == [1, 2, 3])
    #expect(seen.isCompleted)
  }

  @Test func timeIsThatOfTheLoop() {
    let loop = EmbeddedEventLoop()
    let scheduler = loop.scheduler(named: "embedded")
    let seen = Signal.interval(.seconds(60), on: scheduler).take(2).recorded()
    loop.advanceTime(by: .seconds(59))
    #expect(seen.values.isEmpty)
    loop.advanceTime(by: .seconds(1))
    #expect(seen.values == [0])
    loop.advanceTime(by: .seconds(60))
    #expect(seen.values == [0, 1] && seen.isCompleted)
    #expect(scheduler.now >= .seconds(120))
    #expect(scheduler.identity.name == "embedded")
  }

  @Test func cancelledWorkIsNotRunAndIsFreed() {
    let loop = EmbeddedEventLoop()
    let lives = LifeCount()
    let seen = Recorder<Int, Never>()
    let work = loop.scheduler().schedule(after: .seconds(1)) { [token = lives.token()] in
      token.touch()
      seen.next(1)
    }
    work.dispose()
    #expect(lives.count == 0)
    loop.advanceTime(by: .seconds(2))
    #expect(seen.values.isEmpty)
  }

  @Test func onALoopWithAThreadItIsTheCurrentScheduler() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let scheduler = loop.scheduler()
    let isCurrent = await Signal<Bool, Never>.just(true).deliver(on: scheduler)
      .map { _ in loop.inEventLoop && CurrentScheduler.scheduler === scheduler }.last()
    #expect(isCurrent == true)
    try await group.shutdownGracefully()
  }
}
