import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct QueueSchedulerTests {
  @Test func runsWorkInItsOrder() {
    let queue = QueueScheduler(label: "test.order")
    let seen = Recorder<Int, Never>()
    let latch = Latch()
    for number in 0..<1_000 { queue.schedule { seen.next(number) } }
    queue.schedule { latch.signal() }
    #expect(latch.wait())
    #expect(seen.values == Array(0..<1_000))
  }

  @Test func cancelledWorkIsNotRunAndIsFreed() {
    let lives = LifeCount()
    let queue = QueueScheduler(label: "test.cancel")
    let calls = Counter()
    let latch = Latch()
    queue.schedule {
      // This work keeps the queue busy, so the next work is disposed of before it can begin.
      let work = queue.schedule { [token = lives.token()] in
        token.touch()
        calls.add()
      }
      work.dispose()
      #expect(work.isDisposed)
      #expect(lives.count == 0)
      queue.schedule { latch.signal() }
    }
    #expect(latch.wait())
    #expect(calls.value == 0)
  }

  @Test func delayedWorkDoesNotRunEarly() {
    let queue = QueueScheduler(label: "test.delay")
    let began = queue.now
    let ran = Box<Duration>()
    let latch = Latch()
    queue.schedule(after: .milliseconds(20)) {
      ran.value = queue.now
      latch.signal()
    }
    #expect(latch.wait())
    #expect((ran.value ?? .zero) - began >= .milliseconds(20))
  }

  @Test func aDelayOfCenturiesCanBeCancelled() {
    let work = QueueScheduler.background.schedule(after: .seconds(Int64.max / 2)) {}
    work.dispose()
    #expect(work.isDisposed)
  }

  @Test func aRepeatingTimerStops() {
    let queue = QueueScheduler(label: "test.repeat")
    let timer = SerialDisposable()
    let fires = Counter()
    let latch = Latch()
    timer.inner = queue.schedule(every: .milliseconds(1)) {
      if fires.add() == 5 {
        timer.dispose()
        latch.signal()
      }
    }
    #expect(latch.wait())
    let after = Latch()
    queue.schedule(after: .milliseconds(10)) { after.signal() }
    #expect(after.wait())
    #expect(fires.value == 5)
  }

  @Test func takesAnExistingQueue() {
    let own = QueueScheduler(queue: DispatchQueue(label: "own"))
    #expect(own.identity.name == "own")
    #expect(own.identity.kind == .serialQueue)
    #expect(QueueScheduler.background.identity.kind == .concurrentQueue)
    #expect(QueueScheduler.main.identity.kind == .main)
  }

  @Test func mainRunsOnTheMainQueue() async {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let isMain = await withCheckedContinuation { continuation in
      QueueScheduler.main.schedule {
        continuation.resume(returning: DispatchQueue.getSpecific(key: key))
      }
    }
    #expect(isMain == true)
  }

  @Test func aSerialQueueOnTheThreadsOfAConcurrentOneKeepsTheOrder() {
    let target = DispatchQueue(label: "test.target", attributes: .concurrent)
    let queue = QueueScheduler(label: "test.serial", target: target)
    let inside = Counter()
    let overlaps = Counter()
    let seen = Recorder<Int, Never>()
    let latch = Latch()
    for number in 0..<2_000 {
      queue.schedule {
        if inside.add() > 1 { overlaps.add() }
        seen.next(number)
        inside.add(-1)
      }
    }
    queue.schedule { latch.signal() }
    #expect(latch.wait())
    #expect(seen.values == Array(0..<2_000))
    #expect(overlaps.value == 0)
  }

  @Test func aConcurrentQueueRunsWorkAtTheSameTime() {
    let queue = QueueScheduler(concurrent: "test.concurrent", qos: .userInitiated)
    let meeting = Latch(2)
    let met = Latch(2)
    for _ in 0..<2 {
      queue.schedule {
        meeting.signal()
        if meeting.wait() { met.signal() }
      }
    }
    #expect(met.wait())
    #expect(queue.identity.kind == .concurrentQueue)
    #expect(queue.queue.qos == .userInitiated)
  }

  @Test func aGivenQueueMayBeConcurrent() {
    let queue = DispatchQueue(label: "test.own", attributes: .concurrent)
    #expect(QueueScheduler(queue: queue, isConcurrent: true).identity.kind == .concurrentQueue)
    #expect(QueueScheduler(queue: queue).identity.kind == .serialQueue)
  }

  @Test func workWithLeewayDoesNotRunEarly() {
    let queue = QueueScheduler(label: "test.leeway")
    let began = queue.now
    let fires = Recorder<Duration, Never>()
    let latch = Latch(3)
    let timer = queue.schedule(every: .milliseconds(10), leeway: .milliseconds(2)) {
      fires.next(queue.now - began)
      latch.signal()
    }
    #expect(latch.wait())
    timer.dispose()
    for (index, time) in fires.values.prefix(3).enumerated() {
      #expect(time >= .milliseconds(10 * (index + 1)))
    }
  }

  @Test func leewaysAndDelaysOfCenturiesAreAccepted() {
    let timer = QueueScheduler.background.schedule(
      every: .seconds(Int64.max / 2),
      leeway: .seconds(Int64.max / 2)
    ) {}
    timer.dispose()
    #expect(timer.isDisposed)
  }

  @Test func theFirstFireMayHaveASeparateDelay() {
    let time = TestScheduler()
    let fires = Recorder<Duration, Never>()
    time.schedule(every: .seconds(10), after: .seconds(3)) { fires.next(time.now) }
    time.advance(by: .seconds(25))
    #expect(fires.values == [.seconds(3), .seconds(13), .seconds(23)])
    time.cancelAll()
  }
}
