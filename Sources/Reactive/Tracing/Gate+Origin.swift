import ReactiveTrace

extension Gate {
  /// Returns an event that waits in the queue with the asynchronous backtrace of its sender,
  /// because another caller will run it; returns the event itself if no backtrace is recorded.
  static func withOrigin(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard Tracer.isOn else { return event }
    let origin = Tracer.origin()
    guard origin.chain != 0 else { return event }
    return { @Sendable () -> Void in Tracer.run(from: origin, event) }
  }
}
