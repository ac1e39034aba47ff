import Foundation
import Reactive
import ReactiveServiceContext
import ReactiveTesting
import ReactiveTrace
import ServiceContextModule
import Testing
import TraceReading

private enum RequestKey: ServiceContextKey {
  typealias Value = String
}

extension ServiceContext {
  fileprivate static func request(_ name: String) -> ServiceContext {
    var context = ServiceContext.topLevel
    context[RequestKey.self] = name
    return context
  }

  fileprivate static var request: String? { current?[RequestKey.self] }
}

@Suite struct ContextSchedulerTests {
  /// The context that work sees if it is scheduled with the context `a`.
  private static func seen(on scheduler: some Scheduler) async -> String? {
    let (values, value) = AsyncStream<String?>.makeStream()
    ServiceContext.withValue(.request("a")) {
      _ = scheduler.schedule { value.yield(ServiceContext.request) }
    }
    for await value in values { return value }
    return nil
  }

  @Test func workHasTheContextOfWhereItWasScheduled() async {
    let queue = QueueScheduler(label: "work")
    // Without the wrapper, the context is lost; otherwise this would test nothing.
    #expect(await Self.seen(on: queue) == nil)
    #expect(await Self.seen(on: queue.carryingServiceContext()) == "a")
  }

  @Test func workScheduledWithoutAContextHasNone() async {
    let scheduler = TestScheduler().carryingServiceContext()
    let seen = Recorder<String?, Never>()
    scheduler.schedule { seen.next(ServiceContext.request) }
    (scheduler.base as? TestScheduler)?.run()
    #expect(seen.values == [nil])
  }

  @Test func workWithoutAContextThatRunsInsideOtherWorkHasNone() {
    let time = TestScheduler()
    let scheduler = time.carryingServiceContext()
    let seen = Recorder<String?, Never>()
    scheduler.schedule { seen.next(ServiceContext.request) }
    _ = ServiceContext.withValue(.request("a")) { time.run() }
    #expect(seen.values == [nil])
  }

  @Test func disposalReachesASourceThatIsStillStarting() async {
    let sent = Recorder<Int, Never>()
    let signal = Signal<Int, Never>.create { observer in
      while !observer.isDisposed, sent.count < 1000 {
        sent.next(sent.count + 1)
        observer.send(sent.count)
      }
    }
    let values = signal.withServiceContext(.request("a")).take(3).recorded().values
    #expect(values == [1, 2, 3])
    #expect(sent.count == 3)
  }

  @Test func eachOfSeveralHopsHasASeparateContext() {
    let time = TestScheduler()
    let scheduler = time.carryingServiceContext()
    let seen = Recorder<String?, Never>()
    for name in ["a", "b"] {
      ServiceContext.withValue(.request(name)) {
        _ = scheduler.schedule(after: .seconds(1)) { seen.next(ServiceContext.request) }
      }
    }
    let cancelled = scheduler.schedule(after: .seconds(1)) { seen.next("cancelled") }
    cancelled.dispose()
    time.run()
    #expect(seen.values == ["a", "b"])
  }

  @Test func itIsTheCurrentSchedulerAndItsHopsAreInTheTrace() async {
    await #expect(processExitsWith: .success) {
      var options = TraceOptions()
      options.size = 1 << 20
      options.path = NSTemporaryDirectory() + "reactive-context-\(getpid()).rxtrace"
      try Trace.start(options)
      defer { try? FileManager.default.removeItem(atPath: options.path ?? "") }
      let scheduler = QueueScheduler(label: "work").carryingServiceContext()
      let (line, isCurrent) = (
        #line,
        await Signal<Int, Never>.just(1).withServiceContext(.request("a")).deliver(on: scheduler)
          .map { _ in CurrentScheduler.scheduler === scheduler }.last()
      )
      #expect(isCurrent == true, "another scheduler is current")
      let trace = try TraceReader(path: try #require(Trace.path)).snapshot()
      for name in ["work", "work + context"] {
        let number = trace.schedulers.first { $0.name == name }?.index
        let hops = trace.records.compactMap(\.hopScheduling).filter { $0.scheduler == number }
        #expect(!hops.isEmpty && hops.allSatisfy { $0.chain != 0 }, "\(name)")
      }
      let site = trace.sites.first { $0.name == "withServiceContext" }
      #expect(site.map { (line...line + 2).contains(Int($0.line)) } == true, "\(line)")
      #expect(site?.file == "ReactiveServiceContextTests/ServiceContextTests.swift", "file")
      #expect(site?.subscribed == 1, "subscribed")
    }
  }
}

@Suite struct WithServiceContextTests {
  @Test func eventsHaveTheContextOfTheSubscriber() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<String?, Never>()
    let signal = subject.signal.withServiceContext()
    for name in ["a", "b"] {
      _ = ServiceContext.withValue(.request(name)) {
        signal.subscribe(
          next: { _ in seen.next(ServiceContext.request) },
          completed: { seen.next(ServiceContext.request) }
        )
      }
    }
    ServiceContext.withValue(.request("sender")) { subject.send(1) }
    subject.complete()
    #expect(seen.values == ["a", "b", "a", "b"])
  }

  @Test func anUpstreamIsSubscribedToWithTheContext() {
    let seen = Signal<String?, Never>.deferred { .just(ServiceContext.request) }
      .withServiceContext(.request("c")).recorded()
    #expect(seen.values == ["c"])
    #expect(seen.isCompleted)
  }

  @Test func withoutAContextNothingChanges() {
    let seen = Signal<Int, Never>.from(1...3).withServiceContext().recorded()
    #expect(seen.values == [1, 2, 3] && seen.isCompleted)
  }

  @Test func disposalAndTheEndOfTheSourcePassThrough() {
    let lives = LifeCount()
    var subject: Subject<Int, Never>? = Subject()
    let signal = subject?.signal.withServiceContext(.request("a"))
    let first = signal?.subscribe { [token = lives.token()] _ in token.touch() }
    let second = signal?.subscribe { [token = lives.token()] _ in token.touch() }
    first?.dispose()
    #expect(lives.count == 1)
    subject = nil
    #expect(second?.isDisposed == true)
    #expect(lives.count == 0)
  }
}
