public import TraceFormat

extension Signal {
  /// Forwards the values for which a test is true, and fails when the test throws.
  ///
  /// ```
  /// source             -1-2-x-4-|
  /// tryFilter(test)    ---2-#
  /// ```
  ///
  /// The thrown error becomes the failure of the signal, and the source is disposed of.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription; after an error, it does not run again.
  /// - Returns: A signal that ends as this one does, unless the test throws first.
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("tryFilter", file, line, column, .drops), .one(self)) { [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in
        try isIncluded(value) ? value : nil
      }
    }
  }

  /// Applies a function to each value, sends the results that are not nil, and fails when the
  /// function throws.
  ///
  /// ```
  /// source                   -1-n-x-4-|
  /// tryCompactMap(parse)     -1---#       parse gives nil for n
  /// ```
  ///
  /// The thrown error becomes the failure of the signal, and the source is disposed of.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription; after an error, it does not run again.
  /// - Returns: A signal that ends as this one does, unless the function throws first.
  @inlinable
  public func tryCompactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Result?,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("tryCompactMap", file, line, column, .drops), .one(self)) {
      [self] down in attachTrying(to: down, down.part(), transform)
    }
  }
}

extension Signal where Failure == Never {
  /// Forwards the values for which a test is true, and fails when the test throws; see
  /// ``tryFilter(_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func tryFilter<NewFailure: Error>(
    _ isIncluded: @escaping @Sendable (Value) throws(NewFailure) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(Site("tryFilter", file, line, column, .drops), .one(self)) {
      [self] down in
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        try isIncluded(value) ? value : nil
      }
    }
  }

  /// Applies a function to each value, sends the results that are not nil, and fails when the
  /// function throws; see ``tryCompactMap(_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func tryCompactMap<Result: Sendable, NewFailure: Error>(
    _ transform: @escaping @Sendable (Value) throws(NewFailure) -> Result?,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, NewFailure> {
    Signal<Result, NewFailure>(Site("tryCompactMap", file, line, column, .drops), .one(self)) {
      [self] down in attachTrying(to: down, down.infalliblePart(), transform)
    }
  }
}
