import Reactive
import ReactiveTesting
import Testing

@Suite struct WindowOpeningsTests {
  /// Records the values of each window as one string, sent when the window ends.
  private static func windows(
    _ source: Marbles,
    _ openings: Marbles,
    _ closing: Marbles
  ) -> Recorder<String, MarbleFailure> {
    let time = TestScheduler()
    let seen = time.cold(source)
      .window(openings: time.cold(openings)) { _ in time.cold(closing) }
      .flatMap { $0.materialize().collect(until: { $0.last?.isTerminal == true }) }
      .map { events in events.compactMap(\.value).joined() }
      .recorded(at: time)
    time.run()
    return seen
  }

  @Test func windowsOverlap() {
    let seen = Self.windows("-1-2-3-4-5-6-|", "--x-x---------", "----x--x")
    #expect(seen.values == ["23", "34"])
    #expect(seen.entries.map(\.time) == [6, 8, 13].map { .frames($0) })
    #expect(seen.isCompleted)
  }

  @Test func aWindowIsSentWithItsOpening() {
    expectMarbles("-1-2-3-|", "--x-x---", "--w-w--|") { source, openings in
      source.window(openings: openings) { _ in Signal<Int, Never>.never() }.map(to: "w")
    }
  }

  @Test func completionOfTheClosingSignalEndsAWindowToo() {
    #expect(Self.windows("-1-2-3-4-|", "--x-------", "----|").values == ["23"])
  }

  @Test func aFailureOfTheClosingSignalEndsNothing() {
    let seen = Self.windows("-1-2-3-4-|", "--x-------", "----#")
    #expect(seen.values == ["234"])
    #expect(seen.entries.map(\.time) == [9, 9].map { .frames($0) })
  }

  @Test(arguments: ["--x|", "--x#", "--x-"] as [Marbles])
  func theEndOfTheOpeningsEndsNoWindow(openings: Marbles) {
    #expect(Self.windows("-1-2-3-4-|", openings, "----x").values == ["23"])
  }

  @Test func theWindowsEndAfterTheirSignalInTheOrderTheyBegan() {
    let log = Recorder<String, Never>()
    let source = Subject<Int, Never>()
    let openings = Subject<Int, Never>()
    let closings = (0..<3).map { _ in Subject<Void, Never>() }
    source.signal
      .window(openings: openings.signal) { [signals = closings.map(\.signal)] in signals[$0] }
      .enumerated()
      .subscribe(
        next: { number, window in
          window.subscribe(
            next: { log.next("\(number): \($0)") },
            completed: { log.next("\(number) ends") }
          )
        },
        completed: { log.next("done") }
      )
    for number in 0..<3 { openings.send(number) }
    source.send(1)
    closings[1].send()
    closings[1].send()
    source.send(2)
    source.complete()
    #expect(
      log.values == ["0: 1", "1: 1", "2: 1", "1 ends", "0: 2", "2: 2", "done", "0 ends", "2 ends"]
    )
  }

  @Test func anEndedWindowIsNotRetained() {
    let source = Subject<Int, Never>()
    let openings = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let windows = source.signal
      .window(openings: openings.signal) { _ in Signal<Int, Never>.empty() }
    let subscription = windows.flatMap { $0 }.subscribe { seen.next($0) }
    for number in 0..<100 {
      openings.send(number)
      source.send(number)
    }
    #expect(seen.values.isEmpty)
    source.complete()
    #expect(subscription.isDisposed)
  }

  @Test func aWindowContinuesAfterItsSignalUntilItIsClosed() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-5-6-|", on: time)
    let closing = MarbleSource(cold: "------x--x", on: time)
    let seen = Recorder<String, MarbleFailure>(at: time)
    source.signal.window(openings: time.cold("x-----x")) { _ in closing.signal }.take(1)
      .subscribe(next: { seen.record($0) }, failed: { _ in })
    time.run()
    #expect(seen.values == ["1", "2", "3"])
    #expect(seen.isCompleted)
    #expect(source.subscriptions.map(\.ended) == [.frames(6)])
    #expect(closing.activeCount == 0)
  }

  @Test func endlessClosingSignalsAndOpeningsEnd() {
    let seen = Signal<Int, Never>.never().window(openings: endless()) { _ in endless() }.take(3)
      .recorded()
    #expect(seen.count == 3)
    #expect(seen.isCompleted)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("window(openings:closing:)") { source in
      source.window(openings: Signal<Int, Never>.just(1).concat(.never())) { _ in
        Signal<Int, Never>.never()
      }
    }
    checkOperatorContract("window(openings:closing:)") { source, time in
      source.window(openings: Signal.interval(.seconds(1), on: time).take(2)) { _ in
        Signal<Void, Never>.timer(after: .seconds(1), on: time)
      }
    }
  }
}
