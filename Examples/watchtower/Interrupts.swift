import Dispatch
import Glibc
import Reactive

/// What ends the program: an interrupt, a request to terminate, or its time being up.
enum Interrupts {
  /// Sends the reason once, then completes.
  static func signal(after lifetime: Duration?) -> Signal<String, Never> {
    var reasons = [
      unixSignal(SIGINT).map { _ in "interrupted" },
      unixSignal(SIGTERM).map { _ in "asked to terminate" },
    ]
    if let lifetime {
      reasons.append(Signal.just("time is up").delay(lifetime, on: .main))
    }
    return Signal.merge(reasons).take(1).named("end of the program")
  }

  /// Sends whenever the process receives a Unix signal, whose default action is turned off.
  private static func unixSignal(_ number: Int32) -> Signal<Void, Never> {
    .create { observer in
      Glibc.signal(number, SIG_IGN)
      // Dispatch sources are not marked Sendable, but may be used from any thread.
      nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { observer.send() }
      observer.onDispose { source.cancel() }
      source.activate()
    }
  }
}
