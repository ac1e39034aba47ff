import OpenCombine
import Reactive

extension Workload {
  /// Two subjects, sent to alternately, through zip and a map; the cost is per pair.
  static func zip(_ functions: Functions) -> Workload {
    let add = functions.add
    return Workload(
      name: "zip",
      goal: .atLeast(25),
      count: 100_000,
      ours: timed { count in
        let total = Total()
        let left = Reactive.Subject<Int, Never>()
        let right = Reactive.Subject<Int, Never>()
        Reactive.zip(left.signal, right.signal)
          .map { add($0.0, $0.1) }
          .subscribe { total.add($0) }
        for value in 0..<count {
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
          .map { add($0.0, $0.1) }
          .sink { total.add($0) }
        for value in 0..<count {
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
