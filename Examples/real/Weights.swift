internal import Glibc
import Reactive
import Synchronization

/// A plant's scales: the weights they send are stored, shown and watched on separate queues.
///
/// Rebuilt from ReactiveX/RxPY#582. A subject sent values faster than a scheduler could deliver
/// them: memory grew, but not if there were pauses.
extension Real {
  static let weights = Report("weights", "memory grows") { version in
    let plant = Plant()
    let desk = Desk(plant, version)
    for _ in 0..<8 {
      plant.tare("east")
      await pause(500)
    }
    print("stored \(desk.count("stored")), \(plant.sent - desk.last) behind the scales")
    return [plant, desk] as [Any]
  }
}

private struct Weight: Sendable {
  let number: Int
  let scale: String
  let grams: Int
}

/// Three scales: `belt` sends all the time, `gate` and `east` now and then.
private final class Plant: Sendable {
  let weights = Subject<Weight, Never>("weights")
  private let queue = QueueScheduler(label: "plant")
  private let count = Mutex(0)
  private let bag = DisposableBag()

  init() {
    put("belt", every: 5)
    put("gate", every: 200)
  }

  var sent: Int { count.withLock { $0 } }

  func tare(_ scale: String) { send(0, from: scale) }

  private func put(_ scale: String, every milliseconds: Int) {
    Signal.interval(.milliseconds(milliseconds), on: queue)
      .subscribe { [weak self] in self?.send(1000 + $0 % 17, from: scale) }
      .store(in: bag)
  }

  private func send(_ grams: Int, from scale: String) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    weights.send(Weight(number: number, scale: scale, grams: grams))
  }
}

private final class Desk: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let newest = Mutex(0)
  private let disk = QueueScheduler(label: "disk")
  private let screen = QueueScheduler(label: "screen")
  private let bag = DisposableBag()

  init(_ plant: Plant, _ version: Version) {
    let weights = plant.weights.signal
    let belt = weights.filter { $0.scale == "belt" }
    let paced = version == .fixed ? belt.throttle(.milliseconds(50), on: screen) : belt
    handle(paced.deliver(on: disk)) { [weak self] weight in  // blame
      spend(milliseconds: 15)
      self?.newest.withLock { $0 = weight.number }
      return "stored"
    }
    handle(weights.filter { $0.scale == "gate" }.deliver(on: disk)) { _ in
      spend(milliseconds: 10)
      return "gate"
    }
    handle(weights.throttle(.milliseconds(100), on: screen).deliver(on: screen)) { weight in
      spend(milliseconds: 5)
      return "shown \(weight.scale)"
    }
    handle(belt.filter { $0.grams > 1015 }.deliver(on: screen)) { _ in "heavy" }
    handle(weights.filter { $0.grams == 0 }.deliver(on: .main)) { _ in "tare" }
  }

  var last: Int { newest.withLock { $0 } }

  func count(_ topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }

  private func handle(
    _ weights: Signal<Weight, Never>,
    _ work: @escaping @Sendable (Weight) -> String
  ) {
    weights.map(work).subscribe { [weak self] topic in
      self?.counts.withLock { $0[topic, default: 0] += 1 }
    }
    .store(in: bag)
  }
}

/// Blocks the thread, as a slow disk or a large screen does.
private func spend(milliseconds: UInt32) { usleep(milliseconds * 1000) }
