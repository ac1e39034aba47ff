import OpenCombine
import Reactive

extension Workload {
  /// A subject's values through map, filter, scan, map and filter.
  ///
  /// The chain is built once, and subscribed to and disposed of repeatedly; the cost is per
  /// subscription.
  ///
  /// At the end, ten values are sent to a last subscription, which must be the only one left.
  static func subscribeAndDispose() -> Workload {
    Workload(
      name: "subscribe+dispose",
      goal: .atLeast(5.5),
      count: 20_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        let chain = subject.signal.throughFive()
        for _ in 0..<count { chain.subscribe { total.add($0) }.dispose() }
        let last = chain.subscribe { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.dispose()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        let chain = subject.throughFive()
        for _ in 0..<count { chain.sink { total.add($0) }.cancel() }
        let last = chain.sink { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.cancel()
        return total.value
      }
    )
  }

  /// The same, but the chain is built for each subscription.
  static func build() -> Workload {
    Workload(
      name: "build",
      goal: .atLeast(3.2),
      count: 20_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        for _ in 0..<count {
          subject.signal.throughFive().subscribe { total.add($0) }.dispose()
        }
        let last = subject.signal.throughFive().subscribe { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.dispose()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        for _ in 0..<count {
          subject.throughFive().sink { total.add($0) }.cancel()
        }
        let last = subject.throughFive().sink { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.cancel()
        return total.value
      }
    )
  }

  /// `build` with functions that are kept in variables.
  static func buildStored(_ functions: Functions) -> Workload {
    Workload(
      name: "build-stored",
      count: 20_000,
      ours: timed { count in
        let total = Total()
        let subject = Reactive.Subject<Int, Never>()
        for _ in 0..<count {
          subject.signal.throughFive(functions).subscribe { total.add($0) }.dispose()
        }
        let last = subject.signal.throughFive(functions).subscribe { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.dispose()
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subject = PassthroughSubject<Int, Never>()
        for _ in 0..<count {
          subject.throughFive(functions).sink { total.add($0) }.cancel()
        }
        let last = subject.throughFive(functions).sink { total.add($0) }
        for value in 0..<10 { subject.send(value) }
        last.cancel()
        return total.value
      }
    )
  }
}
