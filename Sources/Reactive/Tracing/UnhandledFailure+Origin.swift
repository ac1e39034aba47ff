import ReactiveTrace

extension UnhandledFailure {
  /// The asynchronous backtrace of the event that is being delivered, on separate lines; empty if
  /// it is not recorded.
  static var origin: String {
    let backtrace = AsyncBacktrace.current
    return backtrace.explanation == nil ? "\n\(backtrace)" : ""
  }
}
