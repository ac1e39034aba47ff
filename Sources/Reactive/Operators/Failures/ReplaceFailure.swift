public import TraceFormat

extension Signal {
  /// Sends a value in place of a failure, then completes.
  ///
  /// ```
  /// source                    -1-2-#
  /// replaceFailure(with: 9)   -1-2-(9|)
  /// ```
  ///
  /// - Parameters:
  ///   - value: Sent when this signal fails.
  /// - Returns: A signal that cannot fail.
  @inlinable
  public func replaceFailure(
    with value: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    Signal<Value, Never>(Site("replaceFailure(with:)", file, line, column, .passes), .one(self)) {
      [self] down in
      let upstream = UpstreamScope<Failure>(in: down.scope) {
        [next = down.next, scope = down.scope] end in
        switch end {
        case .completed: scope.end(.completed)
        case .failed:
          next(value)
          scope.end(.completed)
        case .sourceGone: scope.end(.sourceGone)
        }
      }
      attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
    }
  }
}
