import Reactive
import TraceFormat
import Synchronization

/// The whole simulation: a shop with its visitors, its requests and the market that sends it
/// prices.
final class Shop: Sendable {
  private let simulation: Simulation
  private let queues: Queues
  private let market: Market
  private let current: Mutex<Release?> = Mutex(nil)
  private let served = Counter()
  private let releases = Counter()

  init(_ simulation: Simulation) {
    self.simulation = simulation
    queues = Queues(simulation)
    market = Market(simulation, queues)
    deploy()
    scheduleDeployment()
    scheduleRequest()
    scheduleVisitor()
  }

  var summary: String {
    "\(served.value) requests, \(releases.value) releases, \(current.withLock { $0?.summary ?? "" })"
  }

  /// Replaces the running version with a new one; the visitors of the old one leave.
  private func deploy() {
    releases.add()
    let old = current.withLock { $0.take() }
    old?.close()
    let new = Release(simulation, queues, market)
    current.withLock { $0 = new }
  }

  private func scheduleDeployment() {
    queues.main.schedule(after: simulation.time(around: .seconds(6 * 3600))) { [weak self] in
      self?.deploy()
      self?.scheduleDeployment()
    }
  }

  private func scheduleRequest() {
    // One in 50 requests follows the previous one after 5 ms, so that requests also come in bursts.
    let gap =
      simulation.happens(oneIn: 50)
      ? Duration.milliseconds(5) : simulation.time(around: .milliseconds(1200) / simulation.load)
    queues.network.schedule(after: gap) { [weak self] in
      guard let self else { return }
      served.add()
      current.withLock { $0 }?.serve(served.value)
      scheduleRequest()
    }
  }

  private func scheduleVisitor() {
    queues.network.schedule(after: simulation.time(around: .seconds(40) / simulation.load)) {
      [weak self] in
      guard let self else { return }
      current.withLock { $0 }?.admitVisitor()
      scheduleVisitor()
    }
  }
}

/// The queues of the program.
struct Queues: Sendable {
  let main: SimulatedQueue
  let network: SimulatedQueue
  let database: SimulatedQueue

  init(_ simulation: Simulation) {
    main = SimulatedQueue("main", in: simulation, kind: .main)
    network = SimulatedQueue("network", in: simulation)
    database = SimulatedQueue("database", in: simulation)
  }
}

final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

struct SimulatedFailure: Error {}
