import ReactiveTrace

extension Gate {
  /// What waits at a gate is run by somebody else: with the asynchronous backtrace of who sent it, where
  /// backtraces are recorded.
  static func withOrigin(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard Tracer.isOn else { return event }
    let origin = Tracer.origin()
    guard origin.chain != 0 else { return event }
    return { @Sendable () -> Void in Tracer.run(from: origin, event) }
  }
}
