import Logging
import ReactiveTrace

extension Signal {
  /// Logs each event before the sink receives it, if `RXLOG` names this signal.
  ///
  /// The decision is made once per subscription. A signal is selected by a part of its name, or of
  /// its site in the form `map @ Feed.swift:12`; `*` selects all.
  @usableFromInline @inline(never)
  func logEvents(_ scope: inout Scope<Failure>, _ next: inout @Sendable (Value) -> Void) {
    guard let pattern = Tracer.logPattern, matches(pattern) else { return }
    let logger = Logger(label: "reactive")
    let prefix = "\(self) @ \(site.place)"
    let upstream = UpstreamScope<Failure>(in: scope) { [scope] end in
      switch end {
      case .completed: logger.info("\(prefix) completed")
      case .failed(let error): logger.info("\(prefix) failed: \(error)")
      case .sourceGone: break
      }
      scope.end(end)
    }
    upstream.downstreamGate = scope.downstreamGate
    scope = upstream
    next = { [next] value in
      logger.info("\(prefix) next: \(value)")
      next(value)
    }
  }

  private func matches(_ pattern: String) -> Bool {
    pattern == "*" || "\(self)".contains(pattern) || site.description.contains(pattern)
  }
}
