import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Basic Operators, section "Transforming streams": each as a
/// list and as a signal.
@Suite struct TourTransformingTests {
  @Test func mappingTurnsEachValueIntoAnother() {
    let letters = words("A B C D E F G H I")
    let expected = words("AA BB CC DD EE FF GG HH II")

    let mapped = letters.lazyList.map { $0 + $0 }
    #expect(Array(mapped) == expected)

    let signal = Signal<String, Never>.from(letters).map { $0 + $0 }
    #expect(signal.recorded().values == expected)
  }

  @Test func filteringKeepsValuesThatPassTheTest() {
    let numbers = words("1 2 3 4 5 6 7 8 9")
    let isEven: @Sendable (String) -> Bool = { (Int($0) ?? 0).isMultiple(of: 2) }

    let filtered = numbers.lazyList.filter(isEven)
    #expect(Array(filtered) == words("2 4 6 8"))

    let signal = Signal<String, Never>.from(numbers).filter(isEven)
    #expect(signal.recorded().values == words("2 4 6 8"))
  }
}
