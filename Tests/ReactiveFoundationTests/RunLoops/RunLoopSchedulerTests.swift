import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

/// Unchecked, because the tests only add timers to the loop, which any thread may do.
private struct Unsafe: @unchecked Sendable {
  let loop: RunLoop
}

/// A thread that runs its run loop until it is stopped.
private final class LoopThread: Sendable {
  private let holder = Inbox<Unsafe, Never>()
  private let isOver = BooleanDisposable()

  init() {
    let thread = Thread { [holder, isOver] in
      let loop = RunLoop.current
      // A run loop with nothing to wait for returns immediately.
      loop.add(Timer(timeInterval: 1e6, repeats: true) { _ in }, forMode: .default)
      holder.put(.next(Unsafe(loop: loop)))
      while !isOver.isDisposed { _ = loop.run(mode: .default, before: .distantFuture) }
    }
    thread.start()
    _ = holder.wait(forValues: 1)
  }

  var scheduler: RunLoopScheduler? {
    holder.values.first.map { RunLoopScheduler($0.loop, name: "loop") }
  }

  func stop() {
    isOver.dispose()
    scheduler?.schedule {}
  }
}

@Suite struct RunLoopSchedulerTests {
  @Test func workFromOtherThreadsRunsInOrderOnTheLoopsThread() throws {
    let thread = LoopThread()
    let scheduler = try #require(thread.scheduler)
    let (inbox, _) = Signal<Int, Never>.from(0..<100).deliver(on: scheduler)
      .map { ($0, Thread.isMainThread) }.map(\.0).received()
    #expect(inbox.waitForEnd())
    #expect(inbox.values == Array(0..<100))
    let order = Inbox<Int, Never>()
    for number in 0..<50 { scheduler.schedule { order.put(.next(number)) } }
    #expect(order.wait(forValues: 50))
    #expect(order.values == Array(0..<50))
    thread.stop()
  }

  @Test func timersFireOnTheLoopAndStopWithTheirSubscription() throws {
    let thread = LoopThread()
    let scheduler = try #require(thread.scheduler)
    let lives = LifeCount()
    let (inbox, _) = Signal.interval(.milliseconds(2), on: scheduler).take(3)
      .doNext { [token = lives.token()] _ in token.touch() }.received()
    #expect(inbox.waitForEnd())
    #expect(inbox.values == [0, 1, 2])
    #expect(eventually { lives.count == 0 })
    thread.stop()
  }

  @Test func workRunsInTheOrderOfItsDueTimes() throws {
    let thread = LoopThread()
    let scheduler = try #require(thread.scheduler)
    let order = Inbox<Int, Never>()
    // The loop's thread schedules the work, so that none of it runs before all is scheduled.
    scheduler.schedule {
      scheduler.schedule(after: .milliseconds(30)) { order.put(.next(4)) }
      scheduler.schedule(after: .milliseconds(20)) { order.put(.next(3)) }
      for number in 0..<3 { scheduler.schedule { order.put(.next(number)) } }
    }
    #expect(order.wait(forValues: 5))
    #expect(order.values == Array(0..<5))
    thread.stop()
  }

  /// Foundation never frees a timer: a timer for each piece of work would leak about 300 bytes.
  ///
  /// Disabled if `REACTIVE_DEPTH` says that there is a sanitizer, which delays the reuse of freed
  /// memory.
  @Test(.enabled(if: getenv("REACTIVE_DEPTH") == nil))
  func workLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let thread = LoopThread()
      let scheduler = try #require(thread.scheduler)
      let seen = Inbox<Int, Never>()
      // The pieces of work are scheduled one after another, so that each wakes the loop.
      @Sendable func next(_ left: Int) {
        if left == 0 { return seen.put(.next(0)) }
        scheduler.schedule { next(left - 1) }
      }
      func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
      }
      next(2000)
      #expect(seen.wait(forValues: 1))
      let before = try residentBytes()
      next(40_000)
      #expect(seen.wait(forValues: 2))
      let more = try residentBytes() - before
      #expect(more < 4 << 20, "\(more) bytes more than before")
      thread.stop()
    }
  }

  @Test func workRunsAlthoughTheSchedulerIsReleased() throws {
    let thread = LoopThread()
    let seen = Inbox<Int, Never>()
    thread.scheduler?.schedule(after: .milliseconds(1)) { seen.put(.next(1)) }
    #expect(seen.wait(forValues: 1))
    thread.stop()
  }

  @Test func cancelledWorkIsNotRun() throws {
    let thread = LoopThread()
    let scheduler = try #require(thread.scheduler)
    let seen = Inbox<Int, Never>()
    // This runs on the loop's thread, so that the first timer cannot fire before it is cancelled.
    scheduler.schedule {
      let work = scheduler.schedule(after: .milliseconds(1)) { seen.put(.next(1)) }
      work.dispose()
      scheduler.schedule(after: .milliseconds(5)) { seen.put(.next(2)) }
    }
    #expect(seen.wait(forValues: 1))
    #expect(seen.values == [2])
    thread.stop()
  }

  @Test func appearsInATraceWithItsHops() async {
    await #expect(processExitsWith: .success) {
      let thread = LoopThread()
      let scheduler = try #require(thread.scheduler)
      let trace = try TracedBridge.record({
        (Signal.interval(.milliseconds(1), on: scheduler), #line)
      }) { inbox in
        #expect(inbox.wait(forValues: 2))
      }
      try trace.expect("interval", hopsOn: "loop")
      thread.stop()
    }
  }
}
