import OpenCombine
import Reactive

extension Workload {
  /// Two subjects, sent to in turns, through combineLatest and a map; per value sent.
  ///
  /// The peer's nearest is zip, which delivers half as often. What the map makes of pairs that only
  /// combineLatest sees is 0, so that the checksums agree.
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
        for value in 0..<count / 2 {
          left.send(value)
          right.send(value)
        }
        left.send(completion: .finished)
        right.send(completion: .finished)
        subscription.cancel()
        return total.value
      }
    )
  }
}
