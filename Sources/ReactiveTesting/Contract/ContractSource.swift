import Reactive
import Synchronization

/// A source driven by hand: knows how many subscriptions it has, and has a closure that can be seen to be
/// freed.
///
/// All subscriptions see its events in one order, also those sent from inside a delivery.
final class ContractSource: Sendable {
  private typealias Events = Subject<Event<Int, ContractFailure>, Never>

  private let events = Locked<Events?>(Events())
  private let count = Atomic<Int>(0)
  /// Alive as long as the signal, or something of its subscription, holds the closure.
  let closures = LifeCount()

  /// Subscriptions under way.
  var active: Int { count.load(ordering: .acquiring) }

  func signal() -> Signal<Int, ContractFailure> {
    .create { [self, token = closures.token()] observer in
      token.touch()
      count.wrappingAdd(1, ordering: .relaxed)
      observer.onDispose { self.count.wrappingSubtract(1, ordering: .releasing) }
      guard let all = events.withLock({ $0 })?.signal else { return }
      observer.disposables.add(all.subscribe { observer.send($0) })
    }
  }

  func send(_ value: Int) { send(.next(value)) }
  func fail() { send(.failed(ContractFailure())) }
  func complete() { send(.completed) }

  private func send(_ event: Event<Int, ContractFailure>) {
    events.withLock { $0 }?.send(event)
  }

  /// Lets all observers go: nothing can send any more.
  func abandon() {
    let last = events.withLock { events in
      defer { events = nil }
      return events
    }
    withExtendedLifetime(last) {}
  }
}
