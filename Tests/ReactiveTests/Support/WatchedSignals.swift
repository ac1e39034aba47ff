import Reactive
import ReactiveTesting
import Testing

/// Creates signals, knows which of them still exist, and makes them send.
final class WatchedSignals: Sendable {
  // Unchecked: a weak reference is loaded atomically.
  private struct Watched: @unchecked Sendable {
    let name: String
    weak var signal: AnyObject?
  }

  let clock = TestScheduler()
  /// The subject that sends the values of ``source()``.
  let subject = Subject<Int, TestFailure>()
  /// The subject that sends the values of the signals of ``other()``.
  let others = Subject<Int, TestFailure>()
  private let all = Locked<[Watched]>([])
  private let token = Lifetime.Token()
  private let observers = Locked<[Observer<Int, Never>]>([])

  var lifetime: Lifetime { token.lifetime }

  func sum(_ one: Int, _ other: Int) -> Int { one + other }

  /// Retains an observer, so that values can still be sent to it.
  func keep(_ observer: Observer<Int, Never>) { observers.withLock { $0.append(observer) } }

  /// The names of the signals that still exist.
  var held: Set<String> {
    all.withLock { Set($0.filter { $0.signal != nil }.map(\.name)) }
  }

  func watch<Value, Failure>(
    _ name: String,
    _ signal: Signal<Value, Failure>
  ) -> Signal<Value, Failure> {
    all.withLock { $0.append(Watched(name: name, signal: signal)) }
    return signal
  }

  func source() -> Signal<Int, TestFailure> {
    watch("source", .deferred { [subject] in subject.signal })
  }

  /// Another signal; the first is named `other1`, the next `other2`.
  func other() -> Signal<Int, TestFailure> {
    let number = all.withLock { all in all.count { $0.name.hasPrefix("other") } } + 1
    return watch("other\(number)", .deferred { [others] in others.signal })
  }
}

/// An operator applied to the signals of a ``WatchedSignals``.
struct WatchedChain: Sendable, CustomTestStringConvertible {
  let name: String
  /// The names of the signals that its subscription still holds after two values.
  let holds: Set<String>
  let subscribe: @Sendable (WatchedSignals) -> any Disposable
  /// The signal that the operator made, or an object made from it.
  let signal: @Sendable (WatchedSignals) -> any AnyObject & CustomStringConvertible & Sendable

  init<Value, Failure>(
    _ name: String,
    holds: Set<String>,
    _ make:
      @escaping @Sendable (WatchedSignals, Signal<Int, TestFailure>) -> Signal<Value, Failure>
  ) {
    self.name = name
    self.holds = holds
    subscribe = { all in
      all.watch("result", make(all, all.source())).subscribe(failed: { _ in })
    }
    signal = { all in make(all, all.source()) }
  }

  var testDescription: String { name }
}
