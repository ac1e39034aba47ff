import Logging
import ReactiveTrace

extension Signal {
  /// The sink behind a line of log for each event, if `RXLOG` names this signal; else the sink itself.
  ///
  /// Decided once per subscription. A signal is named by a part of its name, or of its site as
  /// `map @ Feed.swift:12`; `*` names all.
  func logged(_ sink: Sink<Value, Failure>) -> Sink<Value, Failure> {
    guard let pattern = Tracer.logPattern, matches(pattern) else { return sink }
    let logger = Logger(label: "reactive")
    let prefix = "\(self) @ \(site.place)"
    let upstream = UpstreamScope<Failure>(in: sink.scope) { [scope = sink.scope] end in
      switch end {
      case .completed: logger.info("\(prefix) completed")
      case .failed(let error): logger.info("\(prefix) failed: \(error)")
      case .sourceGone: break
      }
      scope.end(end)
    }
    return Sink(upstream, sink.trace, sink.below) { [next = sink.next] value in
      logger.info("\(prefix) next: \(value)")
      next(value)
    }
  }

  private func matches(_ pattern: String) -> Bool {
    pattern == "*" || "\(self)".contains(pattern) || site.description.contains(pattern)
  }
}
