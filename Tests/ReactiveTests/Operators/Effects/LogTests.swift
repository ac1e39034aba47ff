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

  @Test func eachOfTheOthersWritesItsKindAlone() {
    let log = MemoryLog()
    let failing = Signal<Int, NamedFailure>.just(1).concat(.failed(NamedFailure())).named("it")
    let line = UInt32(#line)
    _ = failing.logNext(to: log.logger).recorded()
    _ = failing.logFailed(to: log.logger).recorded()
    _ = failing.logCompleted(to: log.logger).recorded()
    _ = Signal<Int, Never>.empty().named("it").logCompleted(to: log.logger).recorded()
    #expect(
      log.lines == [
        "info it @ LogTests.swift:\(line + 1) next: 1",
        "info it @ LogTests.swift:\(line + 2) failed: oops",
        "info it @ LogTests.swift:\(line + 4) completed",
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
