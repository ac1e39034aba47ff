import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct SignalNameTests {
  @Test func theNameListsTheOperatorsInOrder() {
    let username = Subject<String, Never>("username")
    let signal = username.signal.distinctUntilChanged().take(3).filter { !$0.isEmpty }
    #expect("\(signal)" == "username.distinctUntilChanged().take(3).filter(…)")
  }

  @Test func showsSourcesAndArguments() {
    let time = TestScheduler()
    #expect("\(Signal<Int, Never>.never())" == "never()")
    #expect("\(Signal<Int, Never>.just(1))" == "just(…)")
    let delayed = Signal<Int, Never>.empty().delay(.seconds(1), on: time)
    #expect("\(delayed)" == "empty().delay(.seconds(1), …)")
    let delivered = Signal<Int, Never>.never().deliver(on: .main)
    #expect("\(delivered)" == "never().deliver(on: .main)")
  }

  @Test func showsSeveralInputs() {
    let a = Subject<Int, Never>("a").signal
    let b = Subject<Int, Never>("b").signal
    #expect("\(a.merge(with: b))" == "a.merge(with: b)")
    #expect("\(a.take(until: b))" == "a.take(until: b)")
    #expect("\(zip(a, b))" == "zip(a, b)")
  }

  @Test func aGivenNameReplacesTheUpstreamPart() {
    let signal = Signal<Int, Never>.from([1, 2]).map { $0 }.named("numbers")
    #expect("\(signal)" == "numbers")
    #expect("\(signal.skip(1))" == "numbers.skip(1)")
    #expect(signal.recorded().values == [1, 2])
  }

  @Test func aSharedSignalIsSpelledOutOnce() {
    let shared = Signal<Int, Never>.from([1]).map { $0 }
    let text = "\(shared.merge(with: shared))"
    #expect(text == "from(…).map(…).merge(with: ↗map)")
  }

  @Test func theNameIsBoundedInLengthAndDepth() {
    var signal = Signal<Int, Never>.just(0)
    for _ in 0..<10_000 { signal = signal.map { $0 } }
    #expect("\(signal)".count < 500)
    let wide = Signal.merge((0..<5_000).map { Signal<Int, Never>.just($0) })
    #expect("\(wide)".count < 500)
  }

  @Test func theSiteContainsOperatorAndLine() {
    let line = #line + 1
    let signal = Signal<Int, Never>.never().map { $0 }
    #expect("\(signal.site)" == "map @ SignalNameTests.swift:\(line)")
  }

  /// Compares a signal's name with the source text of the argument, read from this file.
  private func expectSpelled<Value, Failure: Error>(
    _ signal: Signal<Value, Failure>,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let call = try #require(lines[location.line - 1].firstMatch(of: /expectSpelled\((.*)\)$/))
    #expect(
      "\(signal)" == call.1.replacing(/\.signal|Numbers\.|Truths\./, with: ""),
      sourceLocation: location
    )
  }

  @Test func callsWithoutClosuresAndValuesAreShownAsWritten() throws {
    typealias Numbers = Signal<Int, Never>
    typealias Truths = Signal<Bool, Never>
    let a = Subject<Int, Never>("a").signal
    let b = Subject<Int, Never>("b").signal
    let c = Subject<Int, Never>("c").signal
    let yes = Subject<Bool, Never>("yes").signal
    let no = Subject<Bool, Never>("no").signal
    let signals = Subject<Signal<Int, Never>, Never>("signals").signal
    try expectSpelled(Numbers.never())
    try expectSpelled(Numbers.empty())
    try expectSpelled(Numbers.range(from: 3, count: 2))
    try expectSpelled(a.multicast(capacity: 1).signal)
    try expectSpelled(a.multicast(capacity: .max).signal)
    try expectSpelled(a.multicast(Subject()).signal)
    try expectSpelled(a.publish().signal)
    try expectSpelled(a.publish().autoconnect())
    try expectSpelled(a.replay())
    try expectSpelled(a.replay(2))
    try expectSpelled(a.replayLast())
    try expectSpelled(a.replayLazily())
    try expectSpelled(a.replayLazily(2))
    try expectSpelled(a.share())
    try expectSpelled(a.share(replay: 1))
    try expectSpelled(a.share(replay: .max, scope: .forever))
    try expectSpelled(a.shareWhileActive())
    try expectSpelled(a.merge(with: b))
    try expectSpelled(a.merge(with: b, c))
    try expectSpelled(zip(a, b))
    try expectSpelled(combineLatest(a, b, c))
    try expectSpelled(forkJoin(a, b))
    try expectSpelled(zip([a, b]))
    try expectSpelled(Numbers.amb([a, b, c]))
    try expectSpelled(Truths.all([yes, no]))
    try expectSpelled(yes.and(no).or(yes.negate()))
    try expectSpelled(Numbers.if(yes, then: a, else: b))
    try expectSpelled(a.concat(b))
    try expectSpelled(Numbers.concat([a, b]))
    try expectSpelled(a.append(b))
    try expectSpelled(a.prepend(b))
    try expectSpelled(a.then(b))
    try expectSpelled(a.onFailureResumeNext(with: b))
    try expectSpelled(a.withLatest(from: b))
    try expectSpelled(a.sample(on: b))
    try expectSpelled(a.take(untilReplacement: b).skip(until: c).take(until: b))
    try expectSpelled(a.ifEmpty(switchTo: b))
    try expectSpelled(signals.flatten(limit: 2))
    try expectSpelled(a.buffer(count: 2, skip: 1))
    try expectSpelled(a.buffer(count: 2))
    try expectSpelled(a.window(count: 2).switchToLatest())
    try expectSpelled(a.window(boundary: b).concat())
    try expectSpelled(a.take(3).skip(last: 2).element(at: 1))
    try expectSpelled(a.repeat(2).retry(3).repeat().retry())
    try expectSpelled(a.ignoreValues())
    try expectSpelled(a.ignoreValues(as: String.self))
    try expectSpelled(a.deliver(on: .main).subscribe(on: .background))
    try expectSpelled(a.measureInterval(on: .main))
    try expectSpelled(a.timestamped(on: .main))
    try expectSpelled(a.materialize().dematerialize().enumerated().combinePrevious().count())
  }

  @Test func omittedArgumentsAreShownAsOmitted() {
    let time = TestScheduler()
    let a = Subject<Int, Never>("a").signal
    let b = Subject<Int, Never>("b").signal
    #expect("\(a.flatMap(limit: 2) { .just($0) })" == "a.flatMap(limit: 2, …)")
    #expect("\(zip(a, b) { $0 + $1 })" == "zip(a, b, …)")
    let buffered = a.buffer(2, whenFull: .dropOldest, on: time)
    #expect("\(buffered)" == "a.buffer(2, …)")
    let timed = a.timeout(after: .milliseconds(1500), on: time, switchingTo: b)
    #expect("\(timed)" == "a.timeout(after: .milliseconds(1500), …, switchingTo: b)")
    let opened = a.buffer(openings: b) { _ in b }
    #expect("\(opened)" == "a.buffer(openings: b, closing: …)")
    let gathered = a.collect(every: .seconds(1), orCount: 2, on: time)
    #expect("\(gathered)" == "a.collect(every: .seconds(1), orCount: 2, …)")
    #expect("\(a.lazyMap(on: .main) { $0 })" == "a.lazyMap(on: .main, …)")
    #expect("\(Signal<Int, Never>.from([1], on: .main))" == "from(…, on: .main)")
    #expect("\(MutableProperty(0).signal)" == "MutableProperty(…)")
    #expect("\(Channel<Int, Never>().leading.signal)" == "Channel(…).leading")
  }
}
