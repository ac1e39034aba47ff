import OpenCombine
import Reactive

extension Workload {
  /// Switches to each of a sequence of inner signals, which send a range of ten values each; the
  /// cost is per value of an inner signal, including the creation of the inner signals.
  static func switchToLatest(_ functions: Functions) -> Workload {
    let increment = functions.increment
    let innerCount = 10
    return Workload(
      name: "switchToLatest",
      goal: .atLeast(9),
      count: 100_000,
      ours: timed { count in
        let total = Total()
        let inners = (0..<count / innerCount).map { outer in
          let first = increment(outer)
          return Signal<Int, Never>.from(first..<first + innerCount)
        }
        Signal<Signal<Int, Never>, Never>.from(inners)
          .switchToLatest()
          .subscribe { total.add($0) }
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let inners = (0..<count / innerCount).map { outer in
          let first = increment(outer)
          return (first..<first + innerCount).publisher
        }
        let subscription = inners.publisher
          .switchToLatest()
          .sink { total.add($0) }
        subscription.cancel()
        return total.value
      }
    )
  }
}
