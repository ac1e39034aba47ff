import Logging

/// Failures that reached the end of a chain that has no handler for them.
public enum UnhandledFailure {
  /// Called on the thread that delivered the failure.
  public typealias Handler =
    @Sendable (_ error: any Error, _ signal: Site, _ subscription: Site) -> Void

  private static let handler = Locked<Handler>(log)

  /// Sets the handler of unhandled failures.
  ///
  /// By default a log entry at level `error` shows the failure, the signal, and the line that
  /// subscribed to it. While a trace is recorded with stacks, the entry also has a backtrace, which
  /// shows where the failure began, and where the work on its way was scheduled. A handler can get
  /// this backtrace from `AsyncBacktrace.current` of module `ReactiveTrace`.
  ///
  /// - Parameter handler: nil for the default.
  public static func setHandler(_ handler: Handler?) {
    self.handler.withLock { $0 = handler ?? log }
  }

  @usableFromInline
  static func report(_ error: any Error, _ signal: Site, _ subscription: Site) {
    let handler = self.handler.withLock { $0 }
    handler(error, signal, subscription)
  }

  private static let log: Handler = { error, signal, subscription in
    let origin = origin
    Logger(label: "reactive").error(
      "unhandled failure: \(error), from \(signal), subscribed at \(subscription.place)\(origin)"
    )
  }
}
