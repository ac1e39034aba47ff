import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// In a trace, a timer has the site of its operator and ends with it, and the depth of an operator
/// is the number of values that it holds.
@Suite struct TimedTracesTests {
  private static func snapshot() throws -> TraceSnapshot {
    try TraceReader(path: Trace.path ?? "", recordLimit: 1 << 16).snapshot()
  }

  @Test func aTimerCarriesTheSiteOfItsOperatorAndEndsWithIt() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let subject = Subject<Int, TestFailure>()
      let signals: [(String, Signal<Int, TestFailure>)] = [
        ("debounce", subject.signal.debounce(.seconds(1), on: time)),
        ("throttle", subject.signal.throttle(.seconds(1), on: time)),
        ("audit", subject.signal.audit(.seconds(1), on: time)),
        (
          "timeout(after:)",
          subject.signal.timeout(after: .seconds(1), on: time, failingWith: TestFailure())
        ),
        ("sample(every:)", subject.signal.sample(every: .seconds(1), on: time)),
        ("collect(every:)", subject.signal.collect(every: .seconds(1), on: time).map { $0[0] }),
        ("take(for:)", subject.signal.take(for: .seconds(1), on: time)),
        ("delaySubscription", subject.signal.delaySubscription(.seconds(1), on: time)),
        ("delay", subject.signal.delay(.seconds(1), on: time)),
      ]
      for (name, signal) in signals {
        let subscription = signal.subscribe(failed: { _ in })
        for value in 0..<3 { subject.send(value) }
        let armed = try Self.timers(named: name)
        #expect(armed.active == 1, "\(name)")
        subscription.dispose()
        let ended = try Self.timers(named: name)
        #expect(ended.active == 0, "\(name)")
      }
    }
  }

  private static func timers(named name: String) throws -> (active: Int, all: Int) {
    let snapshot = try snapshot()
    let sites = Set(snapshot.sites.filter { $0.name == name }.map(\.index))
    let timers = snapshot.slots.filter { $0.kind == .timer && sites.contains($0.site) }
    return (timers.count { $0.state != .ended }, timers.count)
  }

  @Test func theDepthIsTheNumberOfHeldValues() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let subject = Subject<Int, TestFailure>()
      let subscription = subject.signal.collect(every: .seconds(1), on: time)
        .subscribe(failed: { _ in })
      for value in 0..<3 { subject.send(value) }
      #expect(try Self.depth(of: "collect(every:)") == 3)
      time.run()
      #expect(try Self.depth(of: "collect(every:)") == 0)
      subscription.dispose()
    }
  }

  @Test func eventsThatWaitBehindADividedPortionArePartOfTheDepth() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      let depth = Box(0)
      let subscription = subject.signal.deliver(on: time).subscribe { value in
        if value == 255 { for later in 300..<310 { subject.send(later) } }
        if value == 299 { depth.value = try? Self.depth(of: "deliver(on:)") }
      }
      // One piece of work delivers at most 256 of these 300 values.
      for value in 0..<300 { subject.send(value) }
      time.run()
      #expect(depth.value == 10)
      subscription.dispose()
    }
  }

  @Test func valuesThatAZipHasUsedAreNotPartOfItsDepth() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
      let subscription = zip(left.signal, right.signal).subscribe()
      for value in 0..<5 { left.send(value) }
      #expect(try Self.depth(of: "zip") == 5)
      for value in 0..<5 { right.send(value) }
      #expect(try Self.depth(of: "zip") == 0)
      for value in 0..<3 { right.send(value) }
      #expect(try Self.depth(of: "zip") == 3)
      left.send(0)
      #expect(try Self.depth(of: "zip") == 2)
      subscription.dispose()
    }
  }

  @Test func theDepthOfAZipOfManySignalsIsTheNumberOfValuesThatWaitInAll() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let inputs = [Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>()]
      let subscription = zip(inputs.map(\.signal)).subscribe()
      for value in 0..<3 { inputs[0].send(value) }
      for value in 0..<2 { inputs[1].send(value) }
      #expect(try Self.depth(of: "zip") == 5)
      inputs[2].send(0)
      #expect(try Self.depth(of: "zip") == 3)
      inputs[2].send(1)
      #expect(try Self.depth(of: "zip") == 1)
      inputs[2].send(2)
      inputs[1].send(2)
      #expect(try Self.depth(of: "zip") == 0)
      subscription.dispose()
    }
  }

  @Test func deliveredEventsOfAGateAreNotPartOfItsDepth() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let depths = Recorder<Int, Never>()
      let source = Box<Observer<Int, Never>>()
      let subscription = Signal<Int, Never>.create { observer in source.value = observer }
        .subscribe { value in
          guard value == 0 else { return }
          for later in 1...5 { source.value?.send(later) }
          depths.next((try? Self.depth(of: "create")) ?? -1)
        }
      source.value?.send(0)
      #expect(depths.values == [5])
      #expect(try Self.depth(of: "create") == 0)
      subscription.dispose()
    }
  }

  private static func depth(of name: String) throws -> Int {
    let snapshot = try snapshot()
    let sites = Set(snapshot.sites.filter { $0.name == name }.map(\.index))
    let slot = snapshot.slots.first { $0.kind == .subscription && sites.contains($0.site) }
    return slot.map { Int($0.depth) } ?? -1
  }
}
