public import ReactiveTrace

extension Execution {
  /// Records in the trace that an execution was requested and refused.
  @usableFromInline
  static func refuse(_ site: Site, of signal: TraceID) {
    guard Tracer.isOn else { return }
    let scope = UpstreamScope<ActionError<Failure>> { _ in }
    _ = scope.begin(site.ofExecution, of: signal)
    _ = scope.close(Ending(.failed))
  }
}
