import Reactive
import ReactiveTrace
import Synchronization

/// A sorting office: letters come in, are put into one bag for each district, stamped, and counted.
///
/// Rebuilt from reactor/reactor-core#3442. Groups were processed one after the other: the first
/// group never completed, the others waited for it, and everything hung.
extension Real {
  static let sorting = Report("sorting", "hangs") { version in
    let belt = Belt()
    let office = Office(belt, version)
    for round in 1...6 {
      belt.bring(20)
      await pause(700)
      Trace.mark("delivery \(round)")
    }
    let districts = ["north", "east", "south", "west"].map { "\($0) \(office.done("bag " + $0))" }
    print("letters of 120 stamped: \(districts.joined(separator: ", "))")
    return [belt, office] as [Any]
  }
}

private struct Letter: Sendable {
  let number: Int
  let district: String
  let isHeavy: Bool
}

/// Brings letters at a steady pace.
private final class Belt: Sendable {
  let letters = Subject<Letter, Never>("letters")
  private let queue = QueueScheduler(label: "belt")
  private let next = Mutex(0)
  private let bag = DisposableBag()

  func bring(_ count: Int) {
    Signal.interval(.milliseconds(25), on: queue)
      .take(count)
      .subscribe { [weak self] _ in self?.bringOne() }
      .store(in: bag)
  }

  private func bringOne() {
    let number = next.withLock { next in
      next += 1
      return next
    }
    let district = ["north", "east", "south", "west"][number % 4]
    letters.send(Letter(number: number, district: district, isHeavy: number.isMultiple(of: 10)))
  }
}

private final class Office: Sendable {
  private let queue = QueueScheduler(label: "office")
  private let counts = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  init(_ belt: Belt, _ version: Version) {
    let letters = belt.letters.signal
    let districts = letters.groupBy { $0.district }
    let stamp = { @Sendable [queue] (group: GroupedSignal<String, Letter, Never>) in
      group.signal.delay(.milliseconds(10), on: queue).map { _ in "bag \(group.key)" }
    }
    if version == .fixed {
      count(districts.flatMap(stamp))
    } else {
      count(districts.concatMap(stamp))  // blame
    }
    // Heavy letters are weighed, one after the other.
    count(
      letters.filter(\.isHeavy).concatMap { [queue] letter in
        Signal.timer(after: .milliseconds(30), on: queue).map { _ in "heavy" }
      }
    )
    count(letters.collect(count: 10).map { _ in "crate" })
    count(letters.map { $0.number % 2 == 0 ? "even" : "odd" })
    count(Signal.interval(.milliseconds(350), on: queue).map { _ in "clock" })
  }

  func done(_ topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }

  private func count(_ topics: Signal<String, Never>) {
    topics.subscribe { [weak self] topic in
      self?.counts.withLock { $0[topic, default: 0] += 1 }
    }
    .store(in: bag)
  }
}
