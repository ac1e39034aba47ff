import Reactive
import TraceFormat
import Synchronization

/// The whole simulation: a shop with its visitors, its requests and the market that sends it
/// prices.
final class Town: Sendable {
  private let world: World
  private let queues: Queues
  private let market: Market
  private let current: Mutex<Release?> = Mutex(nil)
  private let served = Counter()
  private let releases = Counter()

  init(_ world: World) {
    self.world = world
    queues = Queues(world)
    market = Market(world, queues)
    deploy()
    scheduleDeployment()
    scheduleRequest()
    scheduleVisitor()
  }

  var summary: String {
    "\(served.value) requests, \(releases.value) releases, \(current.withLock { $0?.summary ?? "" })"
  }

  /// Replaces the running version by a new one; the visitors of the old one leave.
  private func deploy() {
    releases.add()
    let old = current.withLock { $0.take() }
    old?.close()
    let new = Release(world, queues, market)
    current.withLock { $0 = new }
  }

  private func scheduleDeployment() {
    queues.main.schedule(after: world.time(around: .seconds(6 * 3600))) { [weak self] in
      self?.deploy()
      self?.scheduleDeployment()
    }
  }

  private func scheduleRequest() {
    // One in 50 requests follows the previous one after 5 ms, so that requests also come in bursts.
    let gap =
      world.happens(oneIn: 50)
      ? Duration.milliseconds(5) : world.time(around: .milliseconds(1200) / world.business)
    queues.network.schedule(after: gap) { [weak self] in
      guard let self else { return }
      served.add()
      current.withLock { $0 }?.serve(served.value)
      scheduleRequest()
    }
  }

  private func scheduleVisitor() {
    queues.network.schedule(after: world.time(around: .seconds(40) / world.business)) {
      [weak self] in
      guard let self else { return }
      current.withLock { $0 }?.welcome()
      scheduleVisitor()
    }
  }
}

/// The queues of the program.
struct Queues: Sendable {
  let main: SimulatedQueue
  let network: SimulatedQueue
  let database: SimulatedQueue

  init(_ world: World) {
    main = SimulatedQueue("main", in: world, kind: .main)
    network = SimulatedQueue("network", in: world)
    database = SimulatedQueue("database", in: world)
  }
}

final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

struct Trouble: Error {}
