import Reactive
import Synchronization

/// Prices that arrive over a connection, which is lost now and then and made again; few arrive at
/// night.
final class Market: Sendable {
  /// The prices, over one connection that all subscribers share.
  let prices: Signal<Price, Never>
  /// Alarms, which are never sent; rxtop must not report that their subscribers get nothing.
  let alarms = Subject<String, Never>("alarms")

  struct Price: Sendable, Equatable {
    let product: Int
    let cents: Int
  }

  init(_ simulation: Simulation, _ queues: Queues) {
    prices =
      Market.connection(simulation, queues)
      .timeout(each: .seconds(60), on: queues.network, failingWith: SimulatedFailure())
      .retry(
        delay: { attempt, _ in .seconds(1 << min(attempt, 5)) },
        on: queues.network
      )
      .replaceFailure(with: Price(product: 0, cents: 0))
      .share()
  }

  /// Sends a price every few seconds, or every 20 seconds at night, until the connection breaks.
  private static func connection(_ simulation: Simulation, _ queues: Queues) -> Signal<
    Price, SimulatedFailure
  > {
    .create { observer in
      let timer = SerialDisposable()
      observer.onDispose { timer.dispose() }
      let isRefused = simulation.happens(oneIn: 3)
      @Sendable func next() {
        let isOpen = simulation.load > 0.3
        let gap = simulation.time(around: isOpen ? .seconds(3) : .seconds(20))
        timer.inner = queues.network.schedule(after: gap) {
          if isRefused || simulation.happens(oneIn: 2000) {
            return observer.fail(SimulatedFailure())
          }
          observer.send(
            Price(product: simulation.number(below: 40), cents: 100 + simulation.number(below: 900))
          )
          next()
        }
      }
      next()
    }
  }
}
