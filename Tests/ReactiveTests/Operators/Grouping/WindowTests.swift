import Reactive
import ReactiveTesting
import Testing

@Suite struct WindowTests {
  /// Sends the values of each window as one string when the window ends.
  private static func joined(
    _ windows: Signal<Signal<String, MarbleFailure>, MarbleFailure>
  ) -> Signal<String, MarbleFailure> {
    windows.flatMap { $0.materialize().collect(until: { $0.last?.isTerminal == true }) }
      .map { events in events.compactMap(\.value).joined() }
  }

  @Test func aWindowOfACountCompletesWithItsLastValue() {
    let names: [Character: String] = ["a": "12", "b": "34"]
    expectMarbles("-1-2-3-4-5-|", "---a---b---(5|)", where: names) {
      Self.joined($0.window(count: 2))
    }
    expectMarbles("-1-2-|", "---a-|", where: names) { Self.joined($0.window(count: 2)) }
    expectMarbles("-1-2-|", "-1-2-|") { Self.joined($0.window(count: 1)) }
  }

  @Test func aWindowOfACountBeginsWithItsFirstValue() {
    expectMarbles("-1-2-3-|", "-x---x-|") { $0.window(count: 2).map(to: "x") }
    expectMarbles("--|", "--|") { $0.window(count: 2).map(to: "x") }
    expectMarbles("--#", "--#") { $0.window(count: 2).map(to: "x") }
  }

  @Test func aBoundaryEndsAWindowAndBeginsTheNext() {
    let names: [Character: String] = ["a": "12", "b": "34", "_": ""]
    expectMarbles("-1-2-3-4-|", "----x----", "----a----(b|)", where: names) {
      Self.joined($0.window(boundary: $1))
    }
    expectMarbles("-1-2-3-4-|", "----x----", "x---x----|") {
      $0.window(boundary: $1).map(to: "x")
    }
  }

  @Test func windowsCanBeEmpty() {
    let time = TestScheduler()
    let seen = Self.joined(time.cold("------1|").window(boundary: time.cold("--xx")))
      .recorded(at: time)
    time.run()
    #expect(seen.values == ["", "", "1"])
    #expect(seen.entries.map(\.time) == [2, 3, 7, 7].map { .frames($0) })
  }

  @Test(arguments: ["--|", "--#", "---"] as [Marbles])
  func theEndOfTheBoundaryEndsNoWindow(boundary: Marbles) {
    expectMarbles("-1-2-3-|", boundary, "-------(a|)", where: ["a": "123"]) {
      Self.joined($0.window(boundary: $1))
    }
  }

  @Test func theOldWindowCompletesBeforeTheNextIsSent() {
    let log = Recorder<String, Never>()
    let source = Subject<Int, Never>()
    let boundary = Subject<Void, Never>()
    source.signal.window(boundary: boundary.signal).subscribe(
      next: { window in
        log.next("window")
        window.subscribe(next: { log.next("\($0)") }, completed: { log.next("end") })
      },
      completed: { log.next("done") }
    )
    source.send(1)
    boundary.send()
    source.send(2)
    source.complete()
    #expect(log.values == ["window", "1", "end", "window", "2", "done", "end"])
  }

  @Test func aFailureEndsTheWindowAfterTheSignalOfWindows() {
    let log = Recorder<String, Never>()
    let source = Subject<Int, TestFailure>()
    source.signal.window(count: 3).subscribe(
      next: { $0.subscribe(failed: { _ in log.next("window failed") }) },
      failed: { _ in log.next("failed") }
    )
    source.send(1)
    source.fail(TestFailure())
    #expect(log.values == ["failed", "window failed"])
  }

  @Test func theBoundaryIsSubscribedToFirstAndEndsWithTheSource() {
    let time = TestScheduler()
    let boundary = MarbleSource(cold: "--x---x--x", on: time)
    let source = MarbleSource(cold: "-1-2-|", on: time)
    let seen = source.signal.window(boundary: boundary.signal).recorded()
    time.run()
    #expect(boundary.subscriptions.map(\.ended) == [.frames(5)])
    #expect(seen.count == 2)
    let order = Recorder<Int, Never>()
    let first = Signal<Int, Never>.create { _ in order.next(1) }
    let second = Signal<Int, Never>.create { _ in order.next(2) }
    second.window(boundary: first).subscribe()
    #expect(order.values == [1, 2])
  }

  @Test func aWindowContinuesAfterItsSignalUntilItIsFull() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-5-6-|", on: time)
    let seen = Recorder<String, MarbleFailure>(at: time)
    source.signal.window(count: 3).take(1).subscribe(
      next: { seen.record($0) },
      failed: { _ in }
    )
    time.run()
    #expect(seen.values == ["1", "2", "3"])
    #expect(seen.isCompleted)
    #expect(source.subscriptions.map(\.ended) == [.frames(5)])
  }

  @Test func aBoundaryWindowContinuesAfterItsSignalUntilTheBoundarySends() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-5-6-|", on: time)
    let boundary = MarbleSource(cold: "------x--x--x", on: time)
    let seen = Recorder<String, MarbleFailure>(at: time)
    source.signal.window(boundary: boundary.signal).take(1).subscribe(
      next: { seen.record($0) },
      failed: { _ in }
    )
    time.run()
    #expect(seen.values == ["1", "2", "3"])
    #expect(seen.isCompleted)
    #expect(source.subscriptions.map(\.ended) == [.frames(6)])
    #expect(boundary.subscriptions.map(\.ended) == [.frames(6)])
  }

  @Test func endlessSourcesCanBeEnded() {
    let counted = endless().window(count: 2).flatMap { $0 }.take(5).recorded()
    #expect(counted.events == [0, 1, 2, 3, 4].map { .next($0) } + [.completed])
    let divided = endless().window(boundary: endless()).take(3).recorded()
    #expect(divided.count == 3)
    #expect(divided.isCompleted)
    let values = endless().window(boundary: Signal<Int, Never>.never()).flatMap { $0 }.take(3)
    #expect(values.recorded().values == [0, 1, 2])
  }

  @Test func onAPlainThreadTheFirstWindowMissesNoValue() {
    let source = Subject<Int, Never>()
    let ended = Latch()
    let seen = Recorder<Int, Never>()
    onPlainThread {
      source.signal.window(boundary: Signal<Int, Never>.never()).flatMap { $0 }
        .subscribe(next: { seen.next($0) }, completed: { ended.signal() })
      for value in 0..<5 { source.send(value) }
      source.complete()
    }
    #expect(ended.wait())
    #expect(seen.values == Array(0..<5))
  }

  @Test func aBoundarySentFromInsideAWindowFollowsTheValue() {
    let source = Subject<Int, Never>()
    let boundary = Subject<Void, Never>()
    let log = Recorder<String, Never>()
    source.signal.window(boundary: boundary.signal).subscribe { window in
      log.next("window")
      window.subscribe(
        next: { value in
          if value == 1 { boundary.send() }
          log.next("\(value)")
        },
        completed: { log.next("end") }
      )
    }
    source.send(1)
    source.send(2)
    #expect(log.values == ["window", "1", "end", "window", "2"])
  }

  @Test func aSourceThatIsGoneEndsTheWindowToo() {
    let boundary = Subject<Void, Never>()
    let seen = Recorder<Int, Never>()
    let windows = Recorder<Signal<Int, Never>, Never>()
    do {
      let source = Subject<Int, Never>()
      windows.record(source.signal.window(boundary: boundary.signal).doNext { seen.record($0) })
      source.send(1)
    }
    #expect(windows.isDisposed && seen.isDisposed)
    #expect(!windows.hasEnded && !seen.hasEnded)
    #expect(seen.values == [1])
  }

  @Test(arguments: [true, false]) func noValueIsKeptForAReleasedWindow(isCounted: Bool) {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let windows =
      isCounted
      ? subject.signal.window(count: 10)
      : subject.signal.window(boundary: Signal<Int, Never>.never())
    let subscription = windows.subscribe()
    for _ in 0..<3 { subject.send(lives.token()) }
    #expect(lives.count == 0)
    subscription.dispose()
  }

  @Test(.tags(.stress)) func aBoundaryOnAnotherThreadLosesNoValue() {
    let count = scaledCount(20_000)
    let source = Subject<Int, Never>()
    let boundary = Subject<Void, Never>()
    let seen = Recorder<Int, Never>()
    let ended = Latch()
    source.signal.window(boundary: boundary.signal).flatMap { $0 }
      .subscribe(next: { seen.next($0) }, completed: { ended.signal() })
    onPlainThreads(2) { index in
      if index == 0 {
        for value in 0..<count { source.send(value) }
      } else {
        for _ in 0..<count / 10 { boundary.send() }
      }
    }
    source.complete()
    #expect(ended.wait())
    #expect(seen.values == Array(0..<count))
  }

  @Test(.tags(.stress)) func subscribersOnOtherThreadsEndTheSourceOnce() {
    let count = scaledCount(1_000)
    for _ in 0..<count {
      let subject = Subject<Int, Never>()
      let ends = Counter()
      let windows = Recorder<Signal<Int, Never>, Never>()
      windows.record(subject.signal.doDisposed { ends.add() }.window(count: 5))
      subject.send(1)
      let window = windows.values[0]
      onPlainThreads(2) { index in
        if index == 0 { windows.dispose() } else { window.subscribe().dispose() }
      }
      #expect(ends.value == 1)
    }
  }

  @Test func aCountOfZeroTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().window(count: 0) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("window(count:)") { $0.window(count: 2) }
    checkOperatorContract("window(boundary:)") { source in
      source.window(boundary: Signal<Int, Never>.never())
    }
    checkOperatorContract("window(boundary:)") { source, time in
      source.window(boundary: Signal.interval(.seconds(1), on: time).take(2))
    }
  }
}
