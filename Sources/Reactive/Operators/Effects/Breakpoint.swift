import TraceFormat
internal import Glibc

extension Signal {
  /// Stops in the debugger at events that meet a condition.
  ///
  /// ```
  /// source         -1-2-3-|
  /// breakpoint     -1-x          x: SIGTRAP, where next is { $0 == "2" }
  /// ```
  ///
  /// `SIGTRAP` is raised on the thread that delivers the event, before the event is forwarded.
  /// Without a debugger, `SIGTRAP` ends the process.
  ///
  /// - Parameters:
  ///   - next: Returns true to stop at a value; by default never.
  ///   - failed: Returns true to stop at the failure; by default never.
  ///   - completed: Returns true to stop at completion; by default never.
  /// - Returns: A signal with the same events.
  public func breakpoint(
    next: @escaping @Sendable (Value) -> Bool = { _ in false },
    failed: @escaping @Sendable (Failure) -> Bool = { _ in false },
    completed: @escaping @Sendable () -> Bool = { false },
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("breakpoint", file, line, column, .passes), .one(self)) { [self] down in
      let upstream = UpstreamScope<Failure>(in: down.scope) { [scope = down.scope] end in
        let mustStop =
          switch end {
          case .completed: completed()
          case .failed(let error): failed(error)
          case .sourceGone: false
          }
        if mustStop { raise(SIGTRAP) }
        scope.end(end)
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [forward = down.next] value in
          if next(value) { raise(SIGTRAP) }
          forward(value)
        }
      )
    }
  }

  /// Stops in the debugger at any failure; see
  /// ``breakpoint(next:failed:completed:file:line:column:)``.
  ///
  /// - Returns: A signal with the same events.
  public func breakpointOnFailure(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    breakpoint(failed: { _ in true }, file: file, line: line, column: column)
  }
}
