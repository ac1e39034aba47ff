import OpenCombine
import Reactive

extension Workload {
  /// A range through a flatMap whose inner signals are ranges of ten; the cost is per innermost
  /// value.
  static func flatMap(_ functions: Functions) -> Workload {
    let increment = functions.increment
    let innerCount = 10
    return Workload(
      name: "flatMap",
      goal: .atLeast(14),
      count: 200_000,
      ours: timed { count in
        let total = Total()
        Signal<Int, Never>.from(0..<count / innerCount)
          .flatMap { outer in
            let first = increment(outer)
            return Signal<Int, Never>.from(first..<first + innerCount)
          }
          .subscribe { total.add($0) }
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subscription = (0..<count / innerCount).publisher
          .flatMap { outer in
            let first = increment(outer)
            return (first..<first + innerCount).publisher
          }
          .sink { total.add($0) }
        subscription.cancel()
        return total.value
      }
    )
  }
}
