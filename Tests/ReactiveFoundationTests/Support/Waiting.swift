import Dispatch
import Reactive

/// What a signal sends, to be waited for.
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

  /// Waits until so many values came or it ended; false if that took longer than anything here should.
  func wait(forValues count: Int, seconds: Int = 60) -> Bool {
    wait(seconds: seconds) { $0.values.count >= count || $0.hasEnded }
  }

  /// Waits for the end.
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
  /// Subscribes and keeps what comes.
  func received(
    started: (any Disposable) -> Void = { _ in },
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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

/// Something that happens once or several times, to be waited for.
struct Happening: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happen() { semaphore.signal() }

  /// False if it took longer than anything here should.
  func wait(seconds: Int = 60) -> Bool {
    semaphore.wait(timeout: .now() + .seconds(seconds)) == .success
  }
}

/// Asks again and again, for what nobody tells; false if it did not become true in time.
func eventually(within seconds: Int = 60, _ condition: () -> Bool) -> Bool {
  let deadline = DispatchTime.now() + .seconds(seconds)
  let nobody = DispatchSemaphore(value: 0)
  while !condition() {
    if DispatchTime.now() >= deadline { return condition() }
    _ = nobody.wait(timeout: .now() + .milliseconds(2))
  }
  return true
}
