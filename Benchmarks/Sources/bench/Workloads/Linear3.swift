import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// A sequence through map, filter and scan; the cost is per value of the sequence; every second
  /// value passes the filter.
  ///
  /// The peer's sequence is type-erased once, before the operators: otherwise its operators on a
  /// sequence compute arrays instead of sending values.
  static func linear3() -> Workload {
    Workload(
      name: "linear3",
      goal: .atLeast(25),
      count: 400_000,
      ours: oursOfLinear3(),
      peer: timed { count in
        let total = Total()
        let subscription = (0..<count).publisher.eraseToAnyPublisher()
          .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
          .sink { total.add($0) }
        subscription.cancel()
        return total.value
      },
      floor: timed { count in rxb_floor_map_filter_scan(count) }
    )
  }

  /// `linear3` with a peer that computes arrays.
  static func linear3Arrays() -> Workload {
    Workload(
      name: "linear3-arrays",
      count: 400_000,
      ours: oursOfLinear3(),
      peer: timed { count in
        let total = Total()
        let subscription = (0..<count).publisher
          .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
          .sink { total.add($0) }
        subscription.cancel()
        return total.value
      }
    )
  }

  private static func oursOfLinear3() -> Side {
    timed { count in
      let total = Total()
      Signal<Int, Never>.from(0..<count)
        .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
        .subscribe { total.add($0) }
      return total.value
    }
  }

  /// `linear3` with functions that are kept in variables.
  static func linear3Stored(_ functions: Functions) -> Workload {
    let (increment, isEven, add) = (functions.increment, functions.isEven, functions.add)
    return Workload(
      name: "linear3-stored",
      count: 400_000,
      ours: timed { count in
        let total = Total()
        Signal<Int, Never>.from(0..<count).map(increment).filter(isEven).scan(0, add)
          .subscribe { total.add($0) }
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subscription = (0..<count).publisher.eraseToAnyPublisher()
          .map(increment).filter(isEven).scan(0, add)
          .sink { total.add($0) }
        subscription.cancel()
        return total.value
      }
    )
  }
}
