import Dispatch
import Reactive

/// Records what a signal sends, and lets a test wait for it.
final class Inbox<Value: Sendable, Failure: Error>: Sendable {
  private let list = Locked<[Event<Value, Failure>]>([])
  private let news = DispatchSemaphore(value: 0)

  func put(_ event: Event<Value, Failure>) {
    list.withLock { $0.append(event) }
    news.signal()
  }

  var events: [Event<Value, Failure>] { list.withLock { $0 } }

  var values: [Value] {
    events.compactMap { if case .next(let value) = $0 { value } else { nil } }
  }

  var failure: Failure? {
    events.lazy.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
  }

  var isCompleted: Bool { events.contains { if case .completed = $0 { true } else { false } } }
  var hasEnded: Bool { events.contains(where: \.isTerminal) }

  /// Waits until `count` values have arrived or the signal has ended; returns false on a timeout.
  func wait(forValues count: Int, seconds: Int = 60) -> Bool {
    wait(seconds: seconds) { $0.values.count >= count || $0.hasEnded }
  }

  /// Waits for the signal to end; returns false on a timeout.
  func waitForEnd(seconds: Int = 60) -> Bool { wait(seconds: seconds) { $0.hasEnded } }

  private func wait(seconds: Int, _ condition: (Inbox) -> Bool) -> Bool {
    let deadline = DispatchTime.now() + .seconds(seconds)
    while !condition(self) {
      if news.wait(timeout: deadline) == .timedOut { return condition(self) }
    }
    return true
  }
}

extension Signal {
  /// Subscribes and records all events.
  func received(
    started: (any Disposable) -> Void = { _ in },
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> (inbox: Inbox<Value, Failure>, subscription: any Disposable) {
    let inbox = Inbox<Value, Failure>()
    let subscription = subscribe(
      started: started,
      next: { inbox.put(.next($0)) },
      failed: { inbox.put(.failed($0)) },
      completed: { inbox.put(.completed) },
      file: file,
      line: line,
      column: column
    )
    return (inbox, subscription)
  }
}

/// An event that happens once or several times, and for which a test can wait.
struct Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  /// Waits until it is signalled; returns false on a timeout.
  func wait(seconds: Int = 60) -> Bool {
    semaphore.wait(timeout: .now() + .seconds(seconds)) == .success
  }
}

/// Polls a condition for which there is no notification; returns false on a timeout.
func eventually(within seconds: Int = 60, _ condition: () -> Bool) -> Bool {
  let deadline = DispatchTime.now() + .seconds(seconds)
  let nobody = DispatchSemaphore(value: 0)
  while !condition() {
    if DispatchTime.now() >= deadline { return condition() }
    _ = nobody.wait(timeout: .now() + .milliseconds(2))
  }
  return true
}
