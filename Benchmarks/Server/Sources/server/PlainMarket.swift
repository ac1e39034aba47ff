import Dispatch
import Synchronization

/// Prices that change, protected by a lock.
final class PlainMarket: Sendable {
  let fee = 495
  let isOpen = Atomic(true)

  private struct Listener {
    let id: Int
    var number = 0
    let continuation: AsyncStream<String>.Continuation
  }

  private struct State {
    var quotes = (0..<Quote.symbolCount).map(Quote.first)
    var ticks = 0
    /// The time at which the listeners of each symbol were last notified.
    var notified = [UInt64](repeating: 0, count: Quote.symbolCount)
    var listeners = [[Listener]](repeating: [], count: Quote.symbolCount)
    var nextID = 0
  }

  private let state = Mutex(State())
  private let clock = DispatchQueue(label: "market")
  private let feed = DispatchQueue(label: "feed")
  // The type is not marked Sendable, but is documented to be usable from any thread.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  init(tick: Int) {
    timer = DispatchSource.makeTimerSource(queue: clock)
    timer.schedule(
      deadline: .now() + .milliseconds(tick),
      repeating: .milliseconds(tick),
      leeway: .nanoseconds(0)
    )
    timer.setEventHandler { [unowned self] in advance() }
    timer.activate()
  }

  func quote(of symbol: Int) -> Quote { state.withLock { $0.quotes[symbol] } }

  func quotes(of symbols: [Int]) -> [Quote] {
    state.withLock { state in symbols.map { state.quotes[$0] } }
  }

  /// Adds a listener, and returns its events, of which the latest 16 are buffered.
  func events(of symbol: Int) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(16)
    )
    let id = state.withLock { state in
      state.nextID += 1
      state.listeners[symbol].append(Listener(id: state.nextID, continuation: continuation))
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[symbol].removeAll { $0.id == id } }
    }
    return stream
  }

  private func advance() {
    let now = DispatchTime.now().uptimeNanoseconds
    let due: Quote? = state.withLock { state in
      let symbol = state.ticks % Quote.symbolCount
      state.ticks += 1
      state.quotes[symbol] = state.quotes[symbol].next()
      guard now - state.notified[symbol] >= 50_000_000, !state.listeners[symbol].isEmpty else {
        return nil
      }
      state.notified[symbol] = now
      return state.quotes[symbol]
    }
    guard let due else { return }
    feed.async { [self] in notify(due) }
  }

  private func notify(_ quote: Quote) {
    let listeners = state.withLock { state in
      let listeners = state.listeners[quote.symbol]
      for index in listeners.indices { state.listeners[quote.symbol][index].number += 1 }
      return listeners
    }
    for listener in listeners {
      listener.continuation.yield(Pricing.event(listener.number, quote))
    }
  }
}
