import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// A subject is sent to, and its values go through map and filter; per value sent.
  static func subject1(_ functions: Functions) -> Workload {
    let (increment, isEven) = (functions.increment, functions.isEven)
    return Workload(
      name: "subject1",
      goal: .atLeast(9),
      count: 400_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        subject.signal.map(increment).filter(isEven).subscribe { total.add($0) }
        for value in 0..<count { subject.send(value) }
        subject.complete()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.map(increment).filter(isEven).sink { total.add($0) }
        for value in 0..<count { subject.send(value) }
        subject.send(completion: .finished)
        subscription.cancel()
        return total.value
      },
      floor: timed { count in rxb_floor_map_filter(count) }
    )
  }
}
