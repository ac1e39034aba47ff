import OpenCombine
import Reactive

extension Signal where Value == Int, Failure == Never {
  /// Map, filter, scan, map, filter.
  @inline(__always)
  func throughFive() -> Signal<Int, Never> {
    map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
      .map { $0 &+ 1 }.filter { $0 & 1 != 0 }
  }

  /// The same five operators, with functions that are kept in variables.
  @inline(__always)
  func throughFive(_ functions: Functions) -> Signal<Int, Never> {
    map(functions.increment).filter(functions.isEven).scan(0, functions.add)
      .map(functions.increment).filter(functions.isOdd)
  }
}

/// The type of the peer's five operators.
typealias FiveOperators<Source: Publisher> = Publishers.Filter<
  Publishers.Map<Publishers.Scan<Publishers.Filter<Publishers.Map<Source, Int>>, Int>, Int>
>

extension Publisher where Output == Int, Failure == Never {
  /// Map, filter, scan, map, filter.
  @inline(__always)
  func throughFive() -> FiveOperators<Self> {
    map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
      .map { $0 &+ 1 }.filter { $0 & 1 != 0 }
  }

  /// The same five operators, with functions that are kept in variables.
  @inline(__always)
  func throughFive(_ functions: Functions) -> FiveOperators<Self> {
    map(functions.increment).filter(functions.isEven).scan(0, functions.add)
      .map(functions.increment).filter(functions.isOdd)
  }
}
