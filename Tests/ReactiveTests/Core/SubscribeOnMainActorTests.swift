import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// A typical view model: a class that is isolated to the main actor.
@MainActor private final class Screen {
  var lines: [Int] = []
  var last = 0
}

extension MainQueueTests {
  @Suite @MainActor struct SubscribeOnMainActorTests {
    /// Waits until the main queue has run its pending work.
    private func turn() async {
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule { continuation.resume() }
      }
    }

    @Test func handlersMayUseStateOfTheMainActor() async {
      let screen = Screen()
      let subject = Subject<Int, TestFailure>()
      let ends = Recorder<Int, TestFailure>()
      subject.signal.subscribeOnMainActor(
        next: { screen.lines.append($0) },
        failed: { ends.fail($0) }
      )
      subject.send(1)
      await turn()
      #expect(screen.lines == [1])
      onPlainThread {
        subject.send(2)
        subject.send(3)
        subject.fail(TestFailure())
      }
      #expect(screen.lines == [1])
      await turn()
      #expect(screen.lines == [1, 2, 3])
      #expect(ends.failure == TestFailure())
    }

    @Test func withoutAValueHandlerTheEndIsStillHandled() async {
      let ends = Recorder<Int, Never>()
      Signal<Int, Never>.from([1, 2]).subscribeOnMainActor(completed: { ends.complete() })
      await turn()
      #expect(ends.isCompleted)
    }

    @Test func completionComesAfterTheValues() async {
      let order = Recorder<Int, Never>()
      onPlainThread {
        ImmediateScheduler.shared.schedule {
          Signal<Int, Never>.from([1, 2]).subscribeOnMainActor(
            next: { order.next($0) },
            completed: { order.complete() }
          )
        }
      }
      await turn()
      #expect(order.events == [.next(1), .next(2), .completed])
    }

    @Test func disposalDropsPendingEvents() async {
      let screen = Screen()
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.subscribeOnMainActor { screen.lines.append($0) }
      onPlainThread { subject.send(1) }
      disposable.dispose()
      await turn()
      #expect(screen.lines.isEmpty)
    }

    @Test func itsHandlersAreFreed() async {
      let lives = LifeCount()
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.subscribeOnMainActor { [token = lives.token()] _ in
        token.touch()
      }
      subject.send(1)
      disposable.dispose()
      await turn()
      #expect(lives.count == 0)
    }

    @Test func itAppearsAsOneSubscriptionInATrace() async {
      await #expect(processExitsWith: .success) {
        try PrivateTrace.start()
        defer { PrivateTrace.remove() }
        let subject = Subject<Int, Never>()
        let disposable = subject.signal.subscribeOnMainActor()
        disposable.dispose()
        let path = try #require(Trace.path)
        let sites = try TraceReader(path: path).snapshot().sites
        let rows = sites.filter { $0.name == "subscribeOnMainActor" }
        #expect(rows.map(\.subscribed) == [1])
        #expect(rows.map(\.live) == [0])
        #expect(!sites.contains { $0.name == "deliver(on:)" || $0.name == "subscribe" })
      }
    }

    // MARK: bind(to:onMainActor:)

    @Test func aPropertyOfTheMainActorIsSet() async {
      let screen = Screen()
      let subject = Subject<Int, Never>()
      subject.signal.bind(to: \.last, onMainActor: screen)
      subject.send(1)
      await turn()
      #expect(screen.last == 1)
      onPlainThread { subject.send(2) }
      await turn()
      #expect(screen.last == 2)
    }

    @Test func theBindingEndsAtTheFirstValueAfterItsTargetWasReleased() async {
      let subject = Subject<Int, Never>()
      let disposable: any Disposable
      do {
        let screen = Screen()
        disposable = subject.signal.bind(to: \.last, onMainActor: screen)
        subject.send(1)
        await turn()
        #expect(screen.last == 1)
      }
      #expect(!disposable.isDisposed)
      subject.send(2)
      await turn()
      #expect(disposable.isDisposed)
    }
  }
}
