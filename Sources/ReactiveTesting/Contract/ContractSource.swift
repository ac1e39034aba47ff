import Reactive
import Synchronization

/// A source driven by hand, which counts its subscriptions and shows whether its closure has been
/// freed.
///
/// All subscriptions see its events in the same order, including events sent from inside a
/// delivery.
final class ContractSource: Sendable {
  private typealias Events = Subject<Event<Int, ContractFailure>, Never>

  private let events = Locked<Events?>(Events())
  private let count = Atomic<Int>(0)
  /// Above zero while the signal, or part of a subscription, retains the closure.
  let closures = LifeCount()

  /// The number of active subscriptions.
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

  /// Releases the subject that holds the observers, so that nothing can send to them any more.
  func abandon() {
    let last = events.withLock { events in
      defer { events = nil }
      return events
    }
    withExtendedLifetime(last) {}
  }
}
