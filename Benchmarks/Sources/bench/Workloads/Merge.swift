import OpenCombine
import Reactive

extension Workload {
  /// Four subjects, sent to in turn, merged; the cost is per value.
  ///
  /// The peer has no merge: its closest operator is flatMap of a sequence of publishers.
  static func merge() -> Workload {
    let inputs = 4
    return Workload(
      name: "merge",
      count: 400_000,
      ours: timed { count in
        let total = Total()
        let subjects = (0..<inputs).map { _ in Reactive.Subject<Int, Never>() }
        Signal.merge(subjects.map(\.signal)).subscribe { total.add($0) }
        for value in 0..<count { subjects[value % inputs].send(value) }
        for subject in subjects { subject.complete() }
        return total.value
      },
      peer: timed { count in
        let total = Total()
        let subjects = (0..<inputs).map { _ in PassthroughSubject<Int, Never>() }
        let subscription = subjects.publisher.flatMap { $0 }.sink { total.add($0) }
        for value in 0..<count { subjects[value % inputs].send(value) }
        for subject in subjects { subject.send(completion: .finished) }
        subscription.cancel()
        return total.value
      }
    )
  }
}
