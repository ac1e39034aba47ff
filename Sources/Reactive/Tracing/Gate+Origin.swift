import ReactiveTrace

extension Gate {
  /// Makes an event that waits keep the asynchronous backtrace of its sender, because another
  /// caller runs it; only if backtraces are recorded.
  static func withOrigin(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard Tracer.isOn else { return event }
    let origin = Tracer.origin()
    guard origin.chain != 0 else { return event }
    return { @Sendable () -> Void in Tracer.run(from: origin, event) }
  }
}
