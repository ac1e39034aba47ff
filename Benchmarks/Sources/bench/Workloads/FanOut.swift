import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// A subject with a hundred subscribers; the cost is per value that arrives at one of them.
  static func fanOut() -> Workload {
    let subscribers = 100
    return Workload(
      name: "fan-out",
      goal: .atLeast(25),
      count: 1_000_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        for _ in 0..<subscribers { subject.signal.subscribe { total.add($0) } }
        for value in 0..<count / subscribers { subject.send(value) }
        subject.complete()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        let subscriptions = (0..<subscribers).map { _ in subject.sink { total.add($0) } }
        for value in 0..<count / subscribers { subject.send(value) }
        subject.send(completion: .finished)
        withExtendedLifetime(subscriptions) {}
        return total.value
      },
      floor: timed { count in rxb_floor_fan_out(count, Int32(subscribers)) }
    )
  }
}
