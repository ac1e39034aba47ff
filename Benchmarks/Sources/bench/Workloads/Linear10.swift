import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// A sequence through ten maps, each behind a type-erased publisher; the cost is per value.
  ///
  /// Signals are always type-erased; on the peer's side, each map ends with `eraseToAnyPublisher`.
  static func linear10() -> Workload {
    Workload(
      name: "linear10",
      goal: .atLeast(6),
      count: 200_000,
      ours: timed { count in
        let total = Total()
        var signal = Signal<Int, Never>.from(0..<count)
        for _ in 0..<10 { signal = signal.map { $0 &+ 1 } }
        signal.subscribe { total.add($0) }
        return total.value
      },
      peer: timed { count in
        let total = Total()
        var publisher = (0..<count).publisher.eraseToAnyPublisher()
        for _ in 0..<10 { publisher = publisher.map { $0 &+ 1 }.eraseToAnyPublisher() }
        let subscription = publisher.sink { total.add($0) }
        subscription.cancel()
        return total.value
      },
      floor: timed { count in rxb_floor_ten_maps(count) }
    )
  }
}
