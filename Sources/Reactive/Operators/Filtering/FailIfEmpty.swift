public import TraceFormat

extension Signal {
  /// Fails if this signal completes without a value.
  ///
  /// ```
  /// source           -1-2-|   ---|
  /// failIfEmpty(e)   -1-2-|   ---#
  /// ```
  ///
  /// Turns the empty result of ``first(where:file:line:column:)``,
  /// ``element(at:file:line:column:)`` and similar operators into a failure. A signal that cannot
  /// fail needs ``promoteFailure(to:file:line:column:)`` first.
  ///
  /// - Parameters:
  ///   - failure: Sent if the source completes without a value.
  /// - Returns: A signal that completes only if it has sent a value.
  @inlinable
  public func failIfEmpty(
    _ failure: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("failIfEmpty", file, line, column, .passes), .one(self)) { [self] down in
      attachIfEmpty(to: down) { down.scope.end(.failed(failure)) }
    }
  }
}
