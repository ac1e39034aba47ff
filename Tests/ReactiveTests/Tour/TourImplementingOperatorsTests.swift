import Reactive
import ReactiveTesting
import Testing

/// Design Guidelines, "Implementing new operators".
@Suite struct TourImplementingOperatorsTests {
  /// `map` out of another operator: it returns at once, and its work is part of the new signal.
  @Test func anOperatorIsMadeOfOthersAndDoesNoWorkBeforeItIsSubscribedTo() {
    let calls = Counter()
    let tenfold = Signal<Int, Never>.from([1, 2, 3]).mapped { value in
      calls.add()
      return value * 10
    }

    #expect(calls.value == 0)
    #expect(tenfold.recorded().events == [.next(10), .next(20), .next(30), .completed])
    #expect(calls.value == 3)
  }
}

extension Signal {
  fileprivate func mapped<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Result, Failure> {
    flatMap({ Signal<Result, Failure>.just(transform($0)) }, file: file, line: line, column: column)
  }
}
