import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// A subject whose values go through map and filter; the cost is per value sent.
  static func subject1() -> Workload {
    Workload(
      name: "subject1",
      goal: .atLeast(9),
      count: 400_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        subject.signal.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.subscribe { total.add($0) }
        for value in 0..<count { subject.send(value) }
        subject.complete()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { total.add($0) }
        for value in 0..<count { subject.send(value) }
        subject.send(completion: .finished)
        subscription.cancel()
        return total.value
      },
      floor: timed { count in rxb_floor_map_filter(count) }
    )
  }
}
