internal import Glibc
import Reactive

/// Programs in which several parts use the same values, or hold what others have made.
extension Corpus {
  static let shelves = [
    Program("shelves-1", "lost-update") {
      await booked { pieces, change in pieces.value = counted(pieces.value + change) }
    },
    Program("shelves-2", nil) {
      await booked { pieces, change in
        let counted = counted(change)
        pieces.modify { $0 += counted }
      }
    },
    Program("shelves-3", "lost-update") {
      let pieces = MutableProperty(0)
      let handle = Signal.interval(.milliseconds(3), on: QueueScheduler(label: "shop"))
        .subscribe { pieces.value = $0 }
      await every(10, times: 40) { _ in pieces.value = counted(pieces.value + 1) }
      return (pieces, handle)
    },
    // Only one thread sets the property; others read it.
    Program("shelves-4", nil) {
      let pieces = MutableProperty(0)
      let handle = Signal.interval(.milliseconds(3), on: QueueScheduler(label: "shop"))
        .subscribe { _ in _ = pieces.value }
      await every(10, times: 40) { _ in pieces.value = counted(pieces.value + 1) }
      return (pieces, handle)
    },
    Program("shelves-5", "already-disposed") {
      let samples = Subject<Int, Never>()
      for _ in 0..<3 { _ = watched(samples) }
      await every(15, times: 40) { samples.send($0) }
      return samples
    },
    Program("shelves-6", nil) {
      let samples = Subject<Int, Never>()
      let bags = (0..<3).map { _ in watched(samples) }
      await every(15, times: 40) { samples.send($0) }
      return (samples, bags)
    },
    Program("shelves-7", "feedback-loop") {
      let (records, stored) = (Subject<Int, Never>(), Subject<Int, Never>())
      return await confirmed(records, in: records, stored)
    },
    Program("shelves-8", nil) {
      let (records, stored) = (Subject<Int, Never>(), Subject<Int, Never>())
      return await confirmed(records, in: stored, stored)
    },
  ]
}

/// Takes a while, as a write to a journal does.
private func counted(_ pieces: Int) -> Int {
  usleep(2_000)
  return pieces
}

/// Deliveries and sales change the same number on queues of their own.
@MainActor
private func booked(_ book: @escaping @Sendable (MutableProperty<Int>, Int) -> Void) async -> Any {
  let pieces = MutableProperty(0)
  let handles = [
    Signal.interval(.milliseconds(9), on: QueueScheduler(label: "gate"))
      .subscribe { _ in book(pieces, 3) },
    Signal.interval(.milliseconds(7), on: QueueScheduler(label: "shop"))
      .subscribe { _ in book(pieces, -1) },
    pieces.signal.subscribe { _ in },
  ]
  await pause(600)
  return (pieces, handles)
}

/// Follows samples until the returned bag is released.
private func watched(_ samples: Subject<Int, Never>) -> DisposableBag {
  let bag = DisposableBag()
  samples.signal.filter { $0 > 2 }.subscribe { _ in }.store(in: bag)
  samples.signal.map { $0 * 2 }.subscribe { _ in }.store(in: bag)
  return bag
}

/// Sends records to a server, which confirms each of them after a while, and stores the
/// confirmations.
@MainActor
private func confirmed(
  _ records: Subject<Int, Never>,
  in target: Subject<Int, Never>,
  _ other: Subject<Int, Never>
) async -> Any {
  let network = QueueScheduler(label: "network")
  let handles = [
    records.signal
      .flatMap { record in
        Signal<Void, Never>.timer(after: .milliseconds(15), on: network).map { record }
      }
      .deliver(on: .main)
      .subscribe { target.send($0) },
    records.signal.subscribe { _ in },
  ]
  await every(120, times: 7) { records.send($0) }
  return (records, target, other, handles)
}
