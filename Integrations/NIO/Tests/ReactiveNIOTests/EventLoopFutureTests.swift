import Foundation
import NIOCore
import NIOEmbedded
import Reactive
import ReactiveNIO
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

private struct Broken: Error, Equatable {}

@Suite struct EventLoopFutureTests {
  @Test func aSignalSendsTheResultOfAFutureBeforeAndAfterItSucceeds() {
    let loop = EmbeddedEventLoop()
    let promise = loop.makePromise(of: Int.self)
    let early = promise.futureResult.signal().recorded()
    #expect(early.events.isEmpty)
    promise.succeed(7)
    loop.run()
    let late = promise.futureResult.signal().recorded()
    loop.run()
    for seen in [early, late] { #expect(seen.values == [7] && seen.isCompleted) }
  }

  @Test func aSignalFailsWithTheFailureOfItsFuture() {
    let loop = EmbeddedEventLoop()
    let seen = (loop.makeFailedFuture(Broken()) as EventLoopFuture<Int>).signal().recorded()
    loop.run()
    #expect(seen.failure is Broken)
    #expect(seen.values.isEmpty)
  }

  @Test func disposalReleasesTheCallbacksOfAnUnfinishedFutureAtOnce() {
    let loop = EmbeddedEventLoop()
    let promise = loop.makePromise(of: Int.self)
    let lives = LifeCount()
    let seen = Recorder<Int, any Error>()
    let subscription = promise.futureResult.signal()
      .doNext { [token = lives.token()] _ in token.touch() }
      .subscribe(next: { seen.next($0) }, failed: { _ in })
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
    promise.succeed(1)
    loop.run()
    #expect(seen.events.isEmpty)
  }

  @Test func aPromiseKeepsTheResult() {
    let loop = EmbeddedEventLoop()
    let work = loop.makePromise(of: Int.self)
    let promise = work.futureResult.promise()
    promise.start()
    work.succeed(3)
    loop.run()
    let seen = promise.deferred.recorded()
    loop.run()
    #expect(seen.values == [3] && seen.isCompleted)
  }

  @Test func futuresProvideTheFirstAndTheLastValueAndFailures() async throws {
    let loop = NIOAsyncTestingEventLoop()
    let numbers = Signal<Int, any Error>.from(1...3)
    #expect(try await numbers.firstValue(on: loop).get() == 1)
    #expect(try await numbers.lastValue(on: loop).get() == 3)
    #expect(try await Signal<Int, any Error>.empty().lastValue(on: loop).get() == nil)
    let failing = Signal<Int, any Error>.failed(Broken()).lastValue(on: loop)
    await #expect(throws: Broken.self) { try await failing.get() }
    let promise = Promise<Int, any Error>(on: QueueScheduler(label: "work")) { observer in
      observer.send(5)
      observer.complete()
    }
    #expect(try await promise.future(on: loop).get() == 5)
    await loop.shutdownGracefully()
  }

  /// NIO stops a program that releases a promise without completing it.
  @Test func aFutureCompletesWhenNothingCanSendAnyMore() async throws {
    let loop = NIOAsyncTestingEventLoop()
    var subject: Subject<Int, any Error>? = Subject()
    let future = try #require(subject).signal.lastValue(on: loop)
    subject?.send(1)
    subject = nil
    #expect(try await future.get() ?? 1 == 1)
    await loop.shutdownGracefully()
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      var options = TraceOptions()
      options.size = 4 << 20
      options.path = NSTemporaryDirectory() + "reactive-nio-\(getpid()).rxtrace"
      try Trace.start(options)
      defer { try? FileManager.default.removeItem(atPath: options.path ?? "") }
      let loop = EmbeddedEventLoop()
      let promise = loop.makePromise(of: Int.self)
      let bag = DisposableBag()
      let (signal, line) = (promise.futureResult.signal(), #line)
      signal.deliver(on: loop.scheduler(named: "embedded"))
        .subscribe(next: { _ in }, failed: { _ in }).store(in: bag)
      promise.succeed(1)
      loop.run()
      let trace = try TraceReader(path: try #require(Trace.path)).snapshot()
      let site = trace.sites.first { $0.name == "EventLoopFuture" && $0.line == UInt32(line) }
      #expect(site?.file == "ReactiveNIOTests/EventLoopFutureTests.swift")
      #expect(site?.subscribed == 1)
      #expect(trace.records.contains { $0.kind == .ownerBound })
      for name in ["EventLoop", "embedded"] {
        let number = trace.schedulers.first { $0.name == name }?.index
        let hops = trace.records.compactMap(\.hopScheduling).filter { $0.scheduler == number }
        #expect(hops.count == 1 && hops.allSatisfy { $0.chain != 0 }, "\(name)")
      }
      withExtendedLifetime(bag) {}
    }
  }
}
