import CBenchmarkShims
import OpenCombine
import Reactive

extension Workload {
  /// The bytes of the heap that one live subscription to five operators takes.
  static func bytes() -> Workload {
    heap("bytes", .bytes, \.bytes, goal: .atMost(0.65))
  }

  /// The number of heap blocks that one live subscription to five operators takes.
  static func allocations() -> Workload {
    heap("allocations", .allocations, \.blocks, goal: nil)
  }

  private static func heap(
    _ name: String,
    _ unit: Unit,
    _ figure: KeyPath<rxb_heap, Int>,
    goal: Goal?
  ) -> Workload {
    Workload(
      name: name,
      unit: unit,
      quotient: .oursByPeer,
      goal: goal,
      count: 10_000,
      ours: counted(figure) { count, counting in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        let chain = subject.signal.throughFive()
        var subscriptions: [any Disposable] = []
        subscriptions.reserveCapacity(count)
        counting {
          for _ in 0..<count { subscriptions.append(chain.subscribe { total.add($0) }) }
        }
        for value in 0..<10 { subject.send(value) }
        for subscription in subscriptions { subscription.dispose() }
        return total.value
      },
      peer: counted(figure) { count, counting in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        let chain = subject.throughFive()
        var subscriptions: [AnyCancellable] = []
        subscriptions.reserveCapacity(count)
        counting {
          for _ in 0..<count { subscriptions.append(chain.sink { total.add($0) }) }
        }
        for value in 0..<10 { subject.send(value) }
        for subscription in subscriptions { subscription.cancel() }
        return total.value
      }
    )
  }
}
