import ReactiveTrace

extension Gate {
  /// Waiting events are run by another caller: with the asynchronous backtrace of the sender, if
  /// backtraces are recorded.
  static func withOrigin(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard Tracer.isOn else { return event }
    let origin = Tracer.origin()
    guard origin.chain != 0 else { return event }
    return { @Sendable () -> Void in Tracer.run(from: origin, event) }
  }
}
