import Dispatch
import OpenCombine
import OpenCombineDispatch
import Reactive

extension Workload {
  /// A range, delivered on a serial queue as fast as possible; the cost is per value.
  static func hop() -> Workload {
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

  /// Values delivered on a serial queue one at a time: each value is sent when the previous value
  /// has arrived.
  static func hopPaced() -> Workload {
    Workload(
      name: "hop-paced",
      count: 5000,
      ours: timed { count in
        let total = Total()
        let arrived = DispatchSemaphore(value: 0)
        let subject = Reactive.Subject<Int, Never>()
        let subscription = subject.signal
          .deliver(on: QueueScheduler(label: "bench"))
          .subscribe {
            total.add($0)
            arrived.signal()
          }
        for value in 0..<count {
          subject.send(value)
          arrived.wait()
        }
        subscription.dispose()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let arrived = DispatchSemaphore(value: 0)
        let subject = PassthroughSubject<Int, Never>()
        let subscription =
          subject
          .receive(on: DispatchQueue(label: "bench").ocombine)
          .sink {
            total.add($0)
            arrived.signal()
          }
        for value in 0..<count {
          subject.send(value)
          arrived.wait()
        }
        subscription.cancel()
        return total.value
      }
    )
  }
}
