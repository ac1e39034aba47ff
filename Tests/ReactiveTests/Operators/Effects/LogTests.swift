import Reactive
import ReactiveTesting
import Testing

@Suite struct LogTests {
  @Test func logAllWritesNamePlaceAndEvent() {
    let log = MemoryLog()
    let line = #line + 2
    let numbers = Signal<Int, TestFailure>.from([1, 2]).named("numbers")
      .logAll(to: log.logger)
    #expect(log.lines.isEmpty)
    _ = numbers.recorded()
    let prefix = "info numbers @ LogTests.swift:\(line)"
    #expect(log.lines == ["\(prefix) next: 1", "\(prefix) next: 2", "\(prefix) completed"])
  }

  @Test func logAllWritesTheFailureToo() {
    let log = MemoryLog()
    let failing = Signal<Int, NamedFailure>.just(1).concat(.failed(NamedFailure())).named("it")
    let prefix = "info it @ LogTests.swift:\(#line + 1)"
    _ = failing.logAll(to: log.logger).recorded()
    #expect(log.lines == ["\(prefix) next: 1", "\(prefix) failed: oops"])
  }

  @Test func theOtherOperatorsWriteOnlyTheirKindOfEvent() {
    let log = MemoryLog()
    let failing = Signal<Int, NamedFailure>.just(1).concat(.failed(NamedFailure())).named("fails")
    let completing = Signal<Int, NamedFailure>.just(2).named("completes")
    let line = UInt32(#line)
    for signal in [failing, completing] {
      _ = signal.logNext(to: log.logger).recorded()
      _ = signal.logFailed(to: log.logger).recorded()
      _ = signal.logCompleted(to: log.logger).recorded()
    }
    #expect(
      log.lines == [
        "info fails @ LogTests.swift:\(line + 2) next: 1",
        "info fails @ LogTests.swift:\(line + 3) failed: oops",
        "info completes @ LogTests.swift:\(line + 2) next: 2",
        "info completes @ LogTests.swift:\(line + 4) completed",
      ]
    )
  }

  @Test func changesNothing() {
    let log = MemoryLog()
    expectMarbles("-1-2-|", "-1-2-|") { $0.logAll(to: log.logger) }
    expectMarbles("-1-2-#", "-1-2-#") { $0.logAll(to: log.logger) }
  }

  @Test func obeysTheOperatorContract() {
    let log = MemoryLog()
    checkOperatorContract("logNext") { $0.logNext(to: log.logger) }
    checkOperatorContract("logFailed") { $0.logFailed(to: log.logger) }
    checkOperatorContract("logCompleted") { $0.logCompleted(to: log.logger) }
    checkOperatorContract("logAll") { $0.logAll(to: log.logger) }
  }
}

private struct NamedFailure: Error, CustomStringConvertible {
  var description: String { "oops" }
}
