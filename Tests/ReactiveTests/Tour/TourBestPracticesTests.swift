import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Design Guidelines, section "Best practices".
@Suite struct TourBestPracticesTests {
  // MARK: Indent stream operations consistently

  @Test func oneOperationStaysOnItsLine() {
    let stream = Signal<Int, Never>.from([1, 2])

    let result = stream.startWith(0)
    let result2 = stream.map { $0 + 1 }

    #expect(result.recorded().values == [0, 1, 2])
    #expect(result2.recorded().values == [2, 3])
  }

  @Test func severalOperationsAreAlignedBelowEachOther() {
    let first = Signal<Int, Never>.from([1, -5, 3])
    let second = Signal<Int, Never>.from([10, 2, 30])

    let result = zip(first, second)
      .map { first, second in first + second }
      .filter { $0 >= 0 }
      .map { $0 + 1 }

    #expect(result.recorded().values == [12, 34])
  }

  @Test func nestedOperationsAreIndentedLikeTheirClosure() {
    let console = Console()
    let doSomethingElse = Signal<Int, Offline>.failed(Offline())

    Signal<Int, Never>.just(1)
      .then {
        doSomethingElse
          .catch { error -> Signal<Int, Never> in
            console.print("\(error)")
            return .empty()
          }
      }
      .subscribe(completed: { console.print("All done.") })

    #expect(console.lines == ["Offline()", "All done."])
  }

  // MARK: Avoid retaining streams for too long

  @Test func holdingTheTailReleasesTheHead() {
    let lives = LifeCount()
    var sequence: LazyList? = (0..<3).lazyList.map { _ in lives.token() }
    sequence?.head?.touch()
    #expect(lives.count == 1)

    sequence = sequence?.tail
    #expect(lives.count == 0)
    sequence?.head?.touch()
    #expect(lives.count == 1)
  }

  // MARK: Process only as much of a stream as needed

  @Test func takeEndsAllUnneededWork() {
    let console = Console()
    let time = TestScheduler()
    let cancel = Button()
    let request = Server(console, time).answer("request", 1, after: .seconds(9))

    let seen = request.take(until: cancel.presses).recorded()
    cancel.press()

    #expect(seen.isCompleted)
    #expect(console.lines == ["begin request", "cancel request"])
  }

  // MARK: Make the side effects of a signal explicit

  @Test func injectedEffectsTrackTheStateOfASignal() {
    let nexts = Recorder<Int, Never>()
    let receivedError = Box<TestFailure>()
    let success = Counter()
    let property = MutableProperty(0)
    func bookkeeping(_ signal: Signal<Int, TestFailure>) -> Signal<Int, TestFailure> {
      signal
        .doNext { nexts.next($0) }
        .doFailed { receivedError.value = $0 }
        .doCompleted { success.add() }
    }

    bookkeeping(.from([1, 2])).catch { _ in Signal<Int, Never>.empty() }.bind(to: property)
    #expect(nexts.values == [1, 2])
    #expect(property.value == 2)
    #expect(success.value == 1)
    #expect(receivedError.value == nil)

    bookkeeping(.failed(TestFailure(code: 4))).subscribe(failed: { _ in })
    #expect(receivedError.value == TestFailure(code: 4))
    #expect(success.value == 1)
  }

  // MARK: Avoid explicit subscriptions and disposal

  @Test func aTextFieldAndAModelAreBoundToEachOther() {
    let model = MutableProperty("joshaber")
    let field = MutableProperty("")

    field.bindTwoWay(to: model)
    #expect(field.value == "joshaber")
    field.value = "jspahrsummers"
    #expect(model.value == "jspahrsummers")
    model.value = "github"
    #expect(field.value == "github")
  }

  // MARK: Share the side effects of a signal by multicasting

  @Test func aSharedRequestStartsOnceForAllItsSubscribers() {
    let console = Console()
    let time = TestScheduler()
    let networkRequest = Server(console, time).answer("request", "response")

    let connection = networkRequest.multicast(capacity: .max)
    connection.connect()
    connection.signal.subscribe(
      next: { console.print("subscriber one: \($0)") },
      failed: { _ in }
    )
    time.run()
    connection.signal.subscribe(
      next: { console.print("subscriber two: \($0)") },
      failed: { _ in }
    )

    #expect(
      console.lines == ["begin request", "subscriber one: response", "subscriber two: response"]
    )
  }

  @Test func aSharedRequestIsCancelledWithItsConnection() {
    let console = Console()
    let time = TestScheduler()
    let networkRequest = Server(console, time).answer("request", "response")

    let connection = networkRequest.multicast(capacity: .max)
    let shared = connection.connect()
    connection.signal.recorded().dispose()
    #expect(console.lines == ["begin request"])
    shared.dispose()

    #expect(console.lines == ["begin request", "cancel request"])
  }

  // MARK: Debug streams by giving them names

  @Test func aSignalIsNamedAfterItsOperators() {
    let username = Subject<String, Never>("username")

    let signal = username.signal
      .distinctUntilChanged()
      .take(3)
      .filter { $0 == "joshaber" }

    #expect("\(signal)" == "username.distinctUntilChanged().take(3).filter(…)")
    #expect("\(signal.named("the maintainer"))" == "the maintainer")
  }

  @Test func loggingAddsTheNameToEachEvent() {
    let log = MemoryLog()
    let username = Subject<String, Never>("username")

    let line = #line + 1
    username.signal.take(1).logAll(to: log.logger).subscribe()
    username.send("joshaber")

    #expect(
      log.lines == [
        "info username.take(1) @ TourBestPracticesTests.swift:\(line) next: joshaber",
        "info username.take(1) @ TourBestPracticesTests.swift:\(line) completed",
      ]
    )
  }
}
