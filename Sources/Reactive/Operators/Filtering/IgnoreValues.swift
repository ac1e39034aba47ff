public import TraceFormat

extension Signal {
  /// Leaves out all values; forwards only the end.
  ///
  /// ```
  /// source           -1-2-3-|
  /// ignoreValues()   -------|
  /// ```
  ///
  /// The value type of the result is `Never`, so a subscriber handles only the end. To continue
  /// with a signal that sends values, use ``ignoreValues(as:file:line:column:)``.
  ///
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func ignoreValues(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Never, Failure> {
    ignoreValues(as: Never.self, file: file, line: line, column: column)
  }

  /// Leaves out all values; the result has the given value type, so that it can be merged or
  /// concatenated with signals of that type.
  ///
  /// ```
  /// source                      -1-2-|
  /// other                            -a-|
  /// ignoreValues(as: T.self)
  ///   .concat(other)            ------a-|
  /// ```
  ///
  /// - Parameters:
  ///   - type: The value type of the result, which sends no values.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func ignoreValues<Result: Sendable>(
    as type: Result.Type,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(
      Site("ignoreValues", file, line, column, .drops),
      .one(self),
      argument: Result.self == Never.self ? .none : .written { "as: \(Result.self).self" }
    ) { [self] down in
      attach(down.with { (_: Value) in })
    }
  }
}
