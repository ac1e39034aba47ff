import Reactive
import ReactiveTesting
import Testing

@Suite struct SignalNameTests {
  @Test func readsAsItWasPutTogether() {
    let username = Subject<String, Never>("username")
    let signal = username.signal.distinctUntilChanged().take(3).filter { !$0.isEmpty }
    #expect("\(signal)" == "username.distinctUntilChanged().take(3).filter(…)")
  }

  @Test func showsSourcesAndArguments() {
    let time = TestScheduler()
    #expect("\(Signal<Int, Never>.never())" == "never()")
    #expect("\(Signal<Int, Never>.just(1))" == "just(…)")
    let delayed = Signal<Int, Never>.empty().delay(.seconds(1), on: time)
    #expect("\(delayed)" == "empty().delay(1.0 seconds)")
    let delivered = Signal<Int, Never>.never().deliver(on: .main)
    #expect("\(delivered)" == "never().deliver(on: main)")
  }

  @Test func showsSeveralInputs() {
    let a = Subject<Int, Never>("a").signal
    let b = Subject<Int, Never>("b").signal
    #expect("\(a.merge(with: b))" == "a.merge(b)")
    #expect("\(a.take(until: b))" == "a.take(until: b)")
    #expect("\(zip(a, b))" == "a.zip(b)")
  }

  @Test func aNameReplacesWhatLiesUpstream() {
    let signal = Signal<Int, Never>.from([1, 2]).map { $0 }.named("numbers")
    #expect("\(signal)" == "numbers")
    #expect("\(signal.skip(1))" == "numbers.skip(1)")
    #expect(signal.recorded().values == [1, 2])
  }

  @Test func aSharedSignalIsSpelledOutOnce() {
    let shared = Signal<Int, Never>.from([1]).map { $0 }
    let text = "\(shared.merge(with: shared))"
    #expect(text == "from(…).map(…).merge(↗map)")
  }

  @Test func isBoundInLengthAndDepth() {
    var signal = Signal<Int, Never>.just(0)
    for _ in 0..<10_000 { signal = signal.map { $0 } }
    #expect("\(signal)".count < 500)
    let wide = Signal.merge((0..<5_000).map { Signal<Int, Never>.just($0) })
    #expect("\(wide)".count < 500)
  }

  @Test func theSiteTellsOperatorAndLine() {
    let line = #line + 1
    let signal = Signal<Int, Never>.never().map { $0 }
    #expect("\(signal.site)" == "map @ SignalNameTests.swift:\(line)")
  }
}
