import ReactiveTrace

extension Gate {
  /// Wraps an event that is about to be queued at a gate, so that it runs with the asynchronous
  /// backtrace of its sender, although another caller will run it.
  ///
  /// If no backtrace is recorded, returns the event itself.
  static func withOrigin(_ event: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard Tracer.isOn else { return event }
    let origin = Tracer.origin()
    guard origin.chain != 0 else { return event }
    return { @Sendable () -> Void in Tracer.run(from: origin, event) }
  }
}
