import TraceFormat
public import Logging

extension Signal {
  /// Logs each value through swift-log at level `info`, as `name @ File.swift:12 next: value`.
  ///
  /// - Parameters:
  ///   - logger: Receives the entries; by default the logger labelled `reactive`.
  /// - Returns: A signal with the same events.
  public func logNext(
    to logger: Logger = Logger(label: "reactive"),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal { log(Site("logNext", file, line, column, .passes), logger, .next) }

  /// Logs the failure, as `name @ File.swift:12 failed: error`.
  ///
  /// While a trace is recorded with stacks, the entry also contains the asynchronous backtrace of
  /// the failure: where the failure began, and every hop (passage to another queue or thread) on
  /// its way.
  ///
  /// - Parameters:
  ///   - logger: Receives the entries; by default the logger labelled `reactive`.
  /// - Returns: A signal with the same events.
  public func logFailed(
    to logger: Logger = Logger(label: "reactive"),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal { log(Site("logFailed", file, line, column, .passes), logger, .failed) }

  /// Logs completion, as `name @ File.swift:12 completed`.
  ///
  /// - Parameters:
  ///   - logger: Receives the entries; by default the logger labelled `reactive`.
  /// - Returns: A signal with the same events.
  public func logCompleted(
    to logger: Logger = Logger(label: "reactive"),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal { log(Site("logCompleted", file, line, column, .passes), logger, .completed) }

  /// Logs values, failure and completion; see ``logNext(to:file:line:column:)`` and
  /// ``logFailed(to:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - logger: Receives the entries; by default the logger labelled `reactive`.
  /// - Returns: A signal with the same events.
  public func logAll(
    to logger: Logger = Logger(label: "reactive"),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    log(Site("logAll", file, line, column, .passes), logger, [.next, .failed, .completed])
  }

  private func log(_ site: Site, _ logger: Logger, _ events: LoggedEvents) -> Signal {
    Signal(site, .one(self), argument: .none) { [self] down in
      let prefix = "\(self) @ \(site.place)"
      let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
        switch end {
        case .completed where events.contains(.completed): logger.info("\(prefix) completed")
        case .failed(let error) where events.contains(.failed):
          let origin = logger.logLevel <= .info ? UnhandledFailure.origin : ""
          logger.info("\(prefix) failed: \(error)\(origin)")
        default: break
        }
        scope.end(end)
      }
      guard events.contains(.next) else {
        return attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
          logger.info("\(prefix) next: \(value)")
          next(value)
        }
      )
    }
  }
}

private struct LoggedEvents: OptionSet, Sendable {
  let rawValue: UInt8
  static let next = LoggedEvents(rawValue: 1)
  static let failed = LoggedEvents(rawValue: 2)
  static let completed = LoggedEvents(rawValue: 4)
}
