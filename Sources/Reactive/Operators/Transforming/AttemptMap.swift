public import TraceFormat

extension Signal {
  /// Runs an action with each value: forwards the value if the action succeeds, and fails with the
  /// action's failure otherwise.
  ///
  /// ```
  /// source             -1-2-x-4-|
  /// attempt(store)     -1-2-#
  /// ```
  ///
  /// Use it for actions that return a `Result`; for functions that throw, use `tryMap`. The source
  /// is disposed of at the first failure.
  ///
  /// - Parameters:
  ///   - action: Runs once per value and subscription, before the value is forwarded; after a
  ///     failure, it does not run again.
  /// - Returns: A signal that ends as this one does, unless the action fails first.
  @inlinable
  public func attempt(
    _ action: @escaping @Sendable (Value) -> Result<Void, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("attempt", file, line, column, .passes), .one(self)) { [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in
        try action(value).get()
        return value
      }
    }
  }

  /// Applies a function that returns a `Result` to each value: sends the success value, and fails
  /// with the failure.
  ///
  /// ```
  /// source                -1-2-x-4-|
  /// attemptMap(parse)     -1-2-#
  /// ```
  ///
  /// The source is disposed of at the first failure.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription; after a failure, it does not run again.
  /// - Returns: A signal that ends as this one does, unless the function fails first.
  @inlinable
  public func attemptMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result<Output, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(Site("attemptMap", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in try transform(value).get() }
    }
  }
}

extension Signal where Failure == Never {
  /// Runs an action with each value; see ``attempt(_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func attempt<NewFailure: Error>(
    _ action: @escaping @Sendable (Value) -> Result<Void, NewFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(Site("attempt", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        try action(value).get()
        return value
      }
    }
  }

  /// Applies a function that returns a `Result` to each value; see
  /// ``attemptMap(_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func attemptMap<Output: Sendable, NewFailure: Error>(
    _ transform: @escaping @Sendable (Value) -> Result<Output, NewFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, NewFailure> {
    Signal<Output, NewFailure>(Site("attemptMap", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        try transform(value).get()
      }
    }
  }
}
