public import TraceFormat

extension Signal {
  /// Ends the program when this signal fails.
  ///
  /// ```
  /// source            -1-2-|
  /// assertNoFailure   -1-2-|
  /// ```
  ///
  /// Use it where a failure would be a programming error. Unlike `assert`, it also ends the program
  /// in release builds. The printed message contains the signal's ``description``, the failure, and
  /// the line of the call.
  ///
  /// - Parameters:
  ///   - message: Appended to the message that is printed.
  /// - Returns: A signal that cannot fail.
  @inlinable
  public func assertNoFailure(
    _ message: String = "",
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    let site = Site("assertNoFailure", file, line, column, .passes)
    return Signal<Value, Never>(site, .one(self), argument: .none) { [self] down in
      let upstream = UpstreamScope<Failure>(in: down.scope) { [self, scope = down.scope] end in
        switch end {
        case .completed: scope.end(.completed)
        case .failed(let error): trap(on: error, message, site)
        case .sourceGone: scope.end(.sourceGone)
        }
      }
      attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
    }
  }

  @usableFromInline @inline(never)
  func trap(on error: Failure, _ message: String, _ site: Site) -> Never {
    let reason = message.isEmpty ? "" : ": \(message)"
    fatalError("assertNoFailure @ \(site.place): \(self) failed with \(error)\(reason)")
  }
}
