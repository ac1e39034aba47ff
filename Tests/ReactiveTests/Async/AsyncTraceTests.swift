import Reactive
import ReactiveTrace
import Testing
import TraceReading

/// Traces contain the subscriptions that tasks await, and the tasks that signals start.
@Suite struct AsyncTraceTests {
  static func snapshot() throws -> TraceSnapshot {
    try TraceReader(path: Trace.path ?? "").snapshot()
  }

  private static let names = ["first", "last", "values", "task", "from(async:)"]

  /// Awaits a signal in each way, one per line; returns the number of the line before the first.
  static func waitInAllWays() async -> UInt32 {
    let source = Signal<Int, Never>.from(1...3)
    let line = UInt32(#line)
    _ = await source.first()
    _ = await source.last()
    _ = await source.values(buffering: .newest(1)).collect()
    _ = await Signal<Int, Never>.task { 1 }.first(where: { _ in true }).last()
    _ = await Signal.from(async: AsyncStream<Int> { $0.finish() }).skip(1).last()
    return line
  }

  @Test func tracesShowNamePlaceAndEndOfWaitingTasks() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let line = await Self.waitInAllWays()
      let sites = try Self.snapshot().sites
      for (offset, name) in Self.names.enumerated() {
        let site = try #require(
          sites.first { $0.name == name && $0.line == line + 1 + UInt32(offset) },
          "\(name)"
        )
        #expect(site.file.hasSuffix("AsyncTraceTests.swift"))
        #expect(site.subscribed == 1 && site.ended.reduce(0, +) == 1, "\(name)")
        #expect(site.disposablesReleased == 0, "\(name)")
        #expect(site.traits.contains(offset < 3 ? .root : .source))
      }
    }
  }

  static func waitByTheProperty() async -> UInt32 {
    let line = UInt32(#line + 1)
    let source = Signal<Int, Never>.from(1...3)
    _ = await source.values.collect()
    return line
  }

  @Test func valuesShowsTheLineOfItsSignal() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let line = await Self.waitByTheProperty()
      let site = try #require(try Self.snapshot().sites.first { $0.name == "values" })
      #expect(site.line == line)
    }
  }

  static func waitForAPromise() async -> UInt32 {
    let promise = Promise<Int, Never>(on: .background) { $0.complete() }
    _ = await promise.value()
    return UInt32(#line - 1)
  }

  @Test func aTraceShowsTheLineThatWaitsForAPromise() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let line = await Self.waitForAPromise()
      let roots = try Self.snapshot().sites.filter { $0.traits.contains(.root) }
      #expect(roots.map(\.line) == [line])
      #expect(roots.first?.file.hasSuffix("AsyncTraceTests.swift") == true)
    }
  }

  @Test func aTaskIsAHopOfItsSubscription() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      _ = await Signal<Int, Never>.task { 1 }.last()
      let trace = try Self.snapshot()
      #expect(trace.records.contains { $0.kind == .hopScheduled })
      #expect(trace.records.contains { $0.kind == .hopBegan })
      #expect(trace.schedulers.contains { $0.name == "tasks" })
    }
  }

  @Test func bufferedValuesAreRecordedAsTheDepthOfTheLoop() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let iterator = subject.signal.values.makeAsyncIterator()
      for value in 0..<5 { subject.send(value) }
      let trace = try Self.snapshot()
      let site = try #require(trace.sites.first { $0.name == "values" })
      let slot = try #require(
        trace.slots.first { $0.site == site.index && $0.kind == .subscription }
      )
      #expect(slot.depth == 5)
      _ = await iterator.next(isolation: nil)
      _ = await iterator.next(isolation: nil)
      #expect(try Self.snapshot().slots.first { $0.serial == slot.serial }?.depth == 3)
    }
  }

  // MARK: Backtraces

  @inline(never)
  static func subscribeHere(
    _ signal: Signal<String, Never>,
    _ report: @escaping @Sendable (String) -> Void
  ) {
    let subscription = signal.subscribe { report($0) }
    withExtendedLifetime(subscription) {}
  }

  @Test func theBacktraceOfATaskContainsTheSubscriptionToIt() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      for signal in [
        Signal<String, Never>.task {
          await Task.yield()
          return "\(AsyncBacktrace.current)"
        },
        Signal.from(async: AsyncStream<Int> { $0.yield(1) }).map { _ in "\(AsyncBacktrace.current)"
        },
      ] {
        let (texts, text) = AsyncStream<String>.makeStream()
        Self.subscribeHere(signal) { text.yield($0) }
        for await text in texts {
          #expect(text.contains("subscribeHere"), "\(text)")
          break
        }
      }
    }
  }

  @inline(never)
  static func startTaskHere(_ signal: Signal<String, Never>) -> Task<String?, Never> {
    let task = AsyncBacktrace.link { Task { await signal.first() } }
    precondition(!task.isCancelled)
    return task
  }

  @Test func theBacktraceOfASubscriptionContainsTheWaitingTask() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let signal = Signal<Int, Never>.just(1).subscribe(on: .background)
        .map { _ in "\(AsyncBacktrace.current)" }
      let text = await Self.startTaskHere(signal).value ?? ""
      #expect(text.contains("startTaskHere"), "\(text)")
    }
  }
}
