import Dispatch
import OpenCombine
import OpenCombineDispatch
import Reactive

extension Workload {
  /// A range, delivered on a serial queue as fast as it goes; per value.
  static func hop(_ functions: Functions) -> Workload {
    Workload(
      name: "hop",
      goal: .atLeast(5),
      count: 100_000,
      ours: timed { count in
        let total = Total()
        let arrived = DispatchSemaphore(value: 0)
        Signal<Int, Never>.from(0..<count)
          .deliver(on: QueueScheduler(label: "bench"))
          .subscribe(next: { total.add($0) }, completed: { arrived.signal() })
        arrived.wait()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let arrived = DispatchSemaphore(value: 0)
        let subscription = (0..<count).publisher
          .receive(on: DispatchQueue(label: "bench").ocombine)
          .sink(receiveCompletion: { _ in arrived.signal() }, receiveValue: { total.add($0) })
        arrived.wait()
        subscription.cancel()
        return total.value
      }
    )
  }
}
