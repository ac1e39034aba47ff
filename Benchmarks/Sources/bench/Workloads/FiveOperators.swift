import OpenCombine
import Reactive

extension Signal where Value == Int, Failure == Never {
  /// Map, filter, scan, map, filter.
  @inline(__always)
  func throughFive(_ functions: Functions) -> Signal<Int, Never> {
    map(functions.increment).filter(functions.isEven).scan(0, functions.add)
      .map(functions.increment).filter(functions.isOdd)
  }
}

extension Publisher where Output == Int, Failure == Never {
  /// Map, filter, scan, map, filter.
  @inline(__always)
  func throughFive(
    _ functions: Functions
  )
    -> Publishers.Filter<
      Publishers.Map<Publishers.Scan<Publishers.Filter<Publishers.Map<Self, Int>>, Int>, Int>
    >
  {
    map(functions.increment).filter(functions.isEven).scan(0, functions.add)
      .map(functions.increment).filter(functions.isOdd)
  }
}
