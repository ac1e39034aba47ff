import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Tests the trace of commands, actions and promises; each test traces a separate process.
@Suite struct ActionTraceTests {
  @Test func executionsAppearWithTheirPlaceAndTheirHops() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler("form")
      let subject = Subject<Int, Never>()
      do {
        let command = Command<Void, Int, Never>(on: time) { _ in subject.signal.map { $0 + 1 } }
        let executing = command.isExecuting.signal.recorded()
        command.execute()
        time.advance(by: .zero)
        subject.send(1)
        subject.complete()
        time.advance(by: .zero)
        #expect(executing.values == [false, true, false])
      }
      // The work that runs here reports the end of the released command.
      time.run()
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let names = Set(snapshot.sites.map(\.name))
      #expect(names.isSuperset(of: ["Command", "execute", "map", "Subject"]))
      let execute = try #require(snapshot.sites.first { $0.name == "execution" })
      #expect(execute.file.hasSuffix("ActionTraceTests.swift"))
      #expect(execute.subscribed == 1)
      #expect(execute.ended.reduce(0, &+) == 1)
      #expect(snapshot.records.contains { $0.kind == .hopBegan })
      #expect(snapshot.schedulers.contains { $0.name == "form" })
    }
  }

  @Test func theSubscriptionToEnabledIfEndsWithTheAction() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let isAllowed = MutableProperty(true)
      var action: Action<Void, Int, Never>? = Action(
        enabledIf: isAllowed.signal,
        on: ImmediateScheduler.shared
      ) { _ in
        .just(1)
      }
      let reader = try TraceReader(path: try #require(Trace.path))
      let before = try reader.snapshot()
      let owner = try #require(before.slots.first { $0.kind == .owner })
      #expect(before.sites.first { $0.index == owner.site }?.name == "Action")
      action?.execute()
      action = nil
      let after = try reader.snapshot()
      #expect(after.records.contains { $0.kind == .ownerEnded })
      #expect(!after.slots.contains { $0.kind == .subscription && $0.state != .ended })
      withExtendedLifetime(isAllowed) {}
    }
  }

  @Test func nothingIsLeftBehind() async {
    await #expect(processExitsWith: .success) {
      assertNoLeaks {
        let time = TestScheduler()
        let isAllowed = MutableProperty(true)
        for policy in [ActionPolicy.reject, .share, .queue] {
          let subject = Subject<Int, TestFailure>()
          let action = Action<Void, Int, TestFailure>(
            enabledIf: isAllowed.signal,
            policy: policy,
            on: time
          ) { _ in
            subject.signal.take(1)
          }
          let watch = action.isEnabled.signal.subscribe { _ in }
          let values = action.values.subscribe { _ in }
          let first = action.apply().subscribe(failed: { _ in })
          let second = action.apply().subscribe(failed: { _ in })
          action.execute()
          time.run()
          subject.send(1)
          time.run()
          for one in [first, second, watch, values] { one.dispose() }
          subject.send(2)
          time.run()
        }
        do {
          let command = Command<Void, Int, TestFailure>(on: time) { _ in .failed(TestFailure()) }
          command.execute().subscribe(failed: { _ in })
          time.run()
          let promise = Promise<Int, Never>(on: time) { observer in
            observer.send(1)
            observer.complete()
          }
          promise.deferred.subscribe { _ in }
          promise.start()
          time.run()
        }
        // The objects just released report their end on the scheduler.
        time.run()
      }
    }
  }
}
