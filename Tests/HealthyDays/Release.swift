import Reactive
import Synchronization

/// One version of the shop while it runs, with its requests, visitors, stock, polls and jobs.
final class Release: Sendable {
  private let simulation: Simulation
  private let queues: Queues
  private let market: Market
  private let stock: Stock
  private let health = MutableProperty(true, "health")
  private let orders = Subject<Int, Never>("orders")
  private let visitors = Mutex<[Int: Visitor]>([:])
  private let nextVisitor = Counter()
  private let bag = DisposableBag()

  init(_ simulation: Simulation, _ queues: Queues, _ market: Market) {
    self.simulation = simulation
    self.queues = queues
    self.market = market
    stock = Stock(simulation, queues)
    subscribeMonitors()
    startJobs()
  }

  var summary: String {
    "\(visitors.withLock { $0.count }) visitors, \(stock.count) wares known"
  }

  func close() {
    let leaving = visitors.withLock { visitors in
      defer { visitors = [:] }
      return Array(visitors.values)
    }
    for visitor in leaving { visitor.leave() }
    orders.complete()
    bag.empty()
  }

  // MARK: Polls and jobs

  /// Polls the health of the database, and makes the subscriptions of the dashboards and alarms.
  private func subscribeMonitors() {
    let simulation = simulation
    let database = queues.database
    Signal.interval(.seconds(30), on: queues.network)
      .flatMapLatest { _ in
        Signal.timer(after: simulation.time(around: .milliseconds(40)), on: database)
          .map { !simulation.happens(oneIn: 500) }
      }
      .distinctUntilChanged()
      .deliver(on: queues.main)
      .bind(to: health)
      .store(in: bag)

    let volume = orders.signal.scan(0) { sum, _ in sum + 1 }.startWith(0)
    let price = market.prices.filter { $0.product == 7 }.map(\.cents).startWith(0)
    combineLatest(volume, price, health.signal) { "\($0) at \($1), \($2 ? "well" : "ill")" }
      .throttle(.seconds(1), on: queues.network)
      .deliver(on: queues.main)
      .distinctUntilChanged()
      .subscribe { _ in simulation.work(for: .microseconds(300)) }
      .store(in: bag)

    market.alarms.signal
      .merge(with: health.signal.filter { !$0 }.map { _ in "ill" })
      .deliver(on: queues.main)
      .subscribe { _ in simulation.work(for: .milliseconds(2)) }
      .store(in: bag)

    market.prices.sample(every: .seconds(10), on: queues.main)
      .subscribe { _ in simulation.work(for: .microseconds(200)) }
      .store(in: bag)
  }

  /// Writes orders in batches, and lists the inventory every hour of the night.
  private func startJobs() {
    let simulation = simulation
    let database = queues.database
    orders.signal
      .collect(every: .seconds(5), on: queues.network, skipEmpty: true, discardWhenCompleted: false)
      .concatMap { portion in
        Signal.timer(after: .milliseconds(20 + 5 * portion.count), on: database)
          .map { portion.count }
      }
      .subscribe { _ in }
      .store(in: bag)

    Signal.interval(.seconds(3600), on: queues.network)
      .filter { _ in simulation.load < 0.1 }
      .flatMap { [stock] _ in stock.inventory() }
      .subscribe { _ in simulation.work(for: .microseconds(50)) }
      .store(in: bag)
  }

  // MARK: Requests and visitors

  func serve(_ number: Int) {
    let simulation = simulation
    let product = simulation.number(below: 400)
    let isBroken = simulation.happens(oneIn: 300)
    stock.product(product)
      .promoteFailure(to: SimulatedFailure.self)
      .flatMap { [queues] known in
        Signal.timer(after: simulation.time(around: .milliseconds(60)), on: queues.database)
          .tryMap { () throws(SimulatedFailure) in
            if isBroken { throw SimulatedFailure() }
            return "\(known) for \(number)"
          }
      }
      .retry(1, delay: .milliseconds(100), on: queues.network)
      .timeout(after: .seconds(5), on: queues.network, failingWith: SimulatedFailure())
      .map { $0 + "!" }
      .deliver(on: queues.main)
      .subscribe(
        next: { [orders] _ in if number % 5 == 0 { orders.send(number) } },
        failed: { _ in simulation.work(for: .microseconds(80)) }
      )
      .store(in: bag)
  }

  func admitVisitor() {
    nextVisitor.add()
    let number = nextVisitor.value
    let visitor = Visitor(simulation, queues, market, stock)
    visitors.withLock { $0[number] = visitor }
    let stay = simulation.time(around: .seconds(900))
    queues.main.schedule(after: stay) { [weak self] in
      let leaving = self?.visitors.withLock { $0.removeValue(forKey: number) }
      leaving?.leave()
    }
  }
}
