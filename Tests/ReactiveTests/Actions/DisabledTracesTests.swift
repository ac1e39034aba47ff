import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceFindings
import TraceReading

/// Tests the explanations of commands and actions that do nothing; each test traces a separate
/// process.
@Suite struct DisabledTracesTests {
  @Test func anExecutionThatDoesNotEndDisablesOnlyItsCommand() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let source = Subject<Int, Never>()
      let commands = [source.signal, .just(1)].map { work in
        Command<Void, Int, Never>(on: time) { _ in work }
      }
      let watches = commands.map { $0.executionSignals.subscribe { _ in } }
      for _ in 1...3 {
        for command in commands {
          command.execute()
          time.advance(by: .zero)
        }
      }
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let serials = snapshot.slots.filter {
        $0.kind == .subscription && snapshot.sites[Int($0.site)].traits.contains(.root)
      }
      .map(\.serial)
      #expect(serials.count == 2)
      let answers = try serials.map { try SilenceExplanation.of($0, in: snapshot).answer }
      #expect(answers[0].contains("is disabled: the execution that was asked for at DisabledTr"))
      #expect(answers[0].contains("never ends; 2 executions asked for since were refused."))
      #expect(!answers[1].contains("disabled"))
      for watch in watches { watch.dispose() }
      withExtendedLifetime(commands) {}
    }
  }

  @Test func theExplanationNamesTheSignalThatDisablesAnAction() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let isFilled = MutableProperty(false)
      let action = Action<Void, Int, Never>(enabledIf: isFilled.signal.map { $0 }, on: time) { _ in
        .just(1)
      }
      let watch = action.values.subscribe { _ in }
      func explanation() throws -> Explanation {
        let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
        let one = snapshot.slots.first {
          $0.kind == .subscription && snapshot.sites[Int($0.site)].traits.contains(.root)
            && $0.eventCount == 0
        }
        return try SilenceExplanation.of(try #require(one).serial, in: snapshot)
      }
      let before = try explanation()
      #expect(!before.answer.contains("disabled"))
      #expect(before.known.contains { $0.hasPrefix("map at DisabledTracesTests.swift:") })
      #expect(before.unknown.contains { $0.contains("sent true or false last") })
      action.apply().subscribe(failed: { _ in })
      let after = try explanation().answer
      #expect(after.contains("is disabled: 1 execution asked for at DisabledTracesTests.swift:"))
      #expect(after.contains("after the last value of map at DisabledTracesTests.swift:"))
      watch.dispose()
      withExtendedLifetime(action) {}
    }
  }

  @Test func anExplanationOfASilentExecutionListsTheSignalsOfItsWork() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let source = Subject<Int, Never>()
      let action = Action<Void, Int, Never>(on: TestScheduler()) { _ in source.signal.map { $0 } }
      let watch = action.apply().subscribe(failed: { _ in })
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let one = snapshot.slots.first {
        $0.kind == .subscription && snapshot.sites[Int($0.site)].name == "subscribe"
      }
      let explanation = try SilenceExplanation.of(try #require(one).serial, in: snapshot)
      #expect(
        explanation.steps.map(\.name) == ["subscribe", "apply", "execution", "map", "Subject"]
      )
      watch.dispose()
      withExtendedLifetime(action) {}
    }
  }

  @Test func atLevelValuesTheExplanationContainsTheLastValueOfIsEnabled() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start(level: .values)
      defer { PrivateTrace.remove() }
      let isFilled = MutableProperty(true)
      let command = Command<Void, Int, Never>(enabledIf: isFilled.signal, on: TestScheduler()) {
        _ in .just(1)
      }
      let watch = command.isConcurrent.signal.subscribe { _ in }
      func explanation() throws -> Explanation {
        let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
        let one = snapshot.slots.first {
          $0.kind == .subscription && snapshot.sites[Int($0.site)].name == "subscribe"
        }
        return try SilenceExplanation.of(try #require(one).serial, in: snapshot)
      }
      #expect(try explanation().known.contains { $0.contains("is enabled, sent true last") })
      isFilled.value = false
      #expect(try explanation().answer.contains("is enabled, sent false last"))
      watch.dispose()
      withExtendedLifetime(command) {}
    }
  }
}
