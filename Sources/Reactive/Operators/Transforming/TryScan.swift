public import TraceFormat

extension Signal {
  /// Combines each value with the result so far, sends each result, and fails when the function
  /// throws.
  ///
  /// ```
  /// source             -1-2-x-|
  /// tryScan(0, add)    -1-3-#
  /// ```
  ///
  /// The initial result is not sent. The thrown error becomes the failure of the signal, and the
  /// source is disposed of.
  ///
  /// - Parameters:
  ///   - initial: The result with which the first value of each subscription is combined.
  ///   - combine: Runs once per value and subscription; after an error, it does not run again.
  /// - Returns: A signal of results, which ends as this one does, unless the function throws first.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public func tryScan<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) throws(Failure) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("tryScan", file, line, column, .passes), .one(self)) {
      [self] down in
      let sum = StageState(initial)
      attachTrying(to: down, down.part()) { value throws(Failure) in
        sum.value = try combine(sum.value, value)
        return sum.value
      }
    }
  }
}

extension Signal where Failure == Never {
  /// Combines each value with the result so far, sends each result, and fails when the function
  /// throws; see ``tryScan(_:_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func tryScan<Result: Sendable, NewFailure: Error>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) throws(NewFailure) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, NewFailure> {
    Signal<Result, NewFailure>(Site("tryScan", file, line, column, .passes), .one(self)) {
      [self] down in
      let sum = StageState(initial)
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        sum.value = try combine(sum.value, value)
        return sum.value
      }
    }
  }
}
