import OpenCombine
import Reactive

extension Workload {
  /// Two subjects, sent to alternately, through combineLatest and a map; the cost is per delivered
  /// value.
  ///
  /// The peer's closest operator is zip, which delivers half as many values for the same input, so
  /// the peer gets twice as many values. Half of the pairs on both sides are mapped to 0, so that
  /// the checksums agree.
  static func combineLatest(_ functions: Functions) -> Workload {
    let sumOfEqual = functions.sumOfEqual
    return Workload(
      name: "combineLatest",
      goal: .atLeast(20),
      count: 200_000,
      ours: timed { count in
        let total = Total()
        let left = Reactive.Subject<Int, Never>()
        let right = Reactive.Subject<Int, Never>()
        Reactive.combineLatest(left.signal, right.signal)
          .map { sumOfEqual($0.0, $0.1) }
          .subscribe { total.add($0) }
        for value in 0..<count / 2 {
          left.send(value)
          right.send(value)
        }
        left.complete()
        right.complete()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let left = PassthroughSubject<Int, Never>()
        let right = PassthroughSubject<Int, Never>()
        let subscription = left.zip(right)
          .map { sumOfEqual($0.0, $0.1) }
          .sink { total.add($0) }
        for number in 0..<count {
          left.send(number / 2)
          right.send(number % 2 == 1 ? number / 2 : -1)
        }
        left.send(completion: .finished)
        right.send(completion: .finished)
        subscription.cancel()
        return total.value
      }
    )
  }
}
