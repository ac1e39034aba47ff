import Reactive
import ReactiveTesting

/// A button that the test presses.
final class Button: Sendable {
  private let subject = Subject<Void, Never>("presses")
  let isEnabled = MutableProperty(true)

  var presses: Signal<Void, Never> { subject.signal }
  func press() { if isEnabled.value { subject.send() } }

  /// Executes a command with each press, and is enabled when the command is.
  func executes<Output: Sendable, Failure: Error>(_ command: Command<Void, Output, Failure>) {
    command.isEnabled.signal.bind(to: isEnabled)
    presses.subscribe { command.execute() }
  }
}

struct Offline: Error, Equatable, Sendable {}

/// A server that answers each request after a delay in virtual time.
///
/// It prints to the console when a request begins and when one is cancelled.
final class Server: Sendable {
  private let console: Console
  private let time: TestScheduler
  private let isReachable = Locked(true)

  init(_ console: Console, _ time: TestScheduler) {
    self.console = console
    self.time = time
  }

  func disconnect() { isReachable.withLock { $0 = false } }

  func answer<Value: Sendable>(
    _ request: String,
    _ value: Value,
    after delay: Duration = .seconds(1)
  ) -> Signal<Value, Offline> {
    .create { [self] observer in
      console.print("begin \(request)")
      let timer = time.schedule(after: delay) { [self] in
        guard isReachable.withLock({ $0 }) else { return observer.fail(Offline()) }
        observer.send(value)
        observer.complete()
      }
      observer.onDispose { [self] in
        if !timer.isDisposed { console.print("cancel \(request)") }
        timer.dispose()
      }
    }
  }
}
