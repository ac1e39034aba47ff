public import TraceFormat

extension Signal {
  /// Applies a function to each value, and fails when the function throws.
  ///
  /// ```
  /// source              -1-2-x-4-|
  /// tryMap(parse)       -1-2-#
  /// ```
  ///
  /// The thrown error becomes the failure of the signal, and the source is disposed of.
  ///
  /// Swift infers `any Error` for a closure that does not declare the type of its errors: on a
  /// signal that cannot fail, `tryMap { try parse($0) }` results in a signal that fails with `any
  /// Error`. For a specific type, pass the function, `tryMap(parse)`, or declare the type of the
  /// closure's errors: `tryMap { text throws(ParseError) in try parse(text) }`. For functions that
  /// throw any error, use `tryMap(_:orFail:)`.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription; after an error, it does not run again.
  /// - Returns: A signal that ends as this one does, unless the function throws first.
  @inlinable
  public func tryMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("tryMap", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in try transform(value) }
    }
  }

  /// Implements ``tryMap(_:file:line:column:)`` for operators that are built on it, with the site
  /// and the argument of such an operator.
  package func tryMap<Result: Sendable>(
    at site: Site,
    argument: String,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(site, .one(self), argument: .text(argument)) { [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in try transform(value) }
    }
  }

  /// Applies a function to each value; if the function throws, fails with the failure that another
  /// function makes from the error.
  ///
  /// ```
  /// source                            -1-2-x-4-|
  /// tryMap { … } orFail: { … }        -1-2-#
  /// ```
  ///
  /// Use it for functions that do not declare the type of their errors. The source is disposed of
  /// when the function throws.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription; after an error, it does not run again.
  ///   - failure: Turns the thrown error into a failure. Runs at most once per subscription.
  /// - Returns: A signal that ends as this one does, unless the function throws first.
  @inlinable
  public func tryMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Result,
    orFail failure: @escaping @Sendable (any Error) -> Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("tryMap(orFail:)", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.part()) { value throws(Failure) in
        do { return try transform(value) } catch { throw failure(error) }
      }
    }
  }
}

extension Signal where Failure == Never {
  /// Applies a function to each value, and fails when the function throws; see
  /// ``tryMap(_:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func tryMap<Result: Sendable, NewFailure: Error>(
    _ transform: @escaping @Sendable (Value) throws(NewFailure) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, NewFailure> {
    Signal<Result, NewFailure>(Site("tryMap", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        try transform(value)
      }
    }
  }

  /// Applies a function to each value; if the function throws, fails with the failure that another
  /// function makes from the error; see ``tryMap(_:orFail:file:line:column:)``.
  @_disfavoredOverload @inlinable
  public func tryMap<Result: Sendable, NewFailure: Error>(
    _ transform: @escaping @Sendable (Value) throws -> Result,
    orFail failure: @escaping @Sendable (any Error) -> NewFailure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, NewFailure> {
    Signal<Result, NewFailure>(Site("tryMap(orFail:)", file, line, column, .passes), .one(self)) {
      [self] down in
      attachTrying(to: down, down.infalliblePart()) { value throws(NewFailure) in
        do { return try transform(value) } catch { throw failure(error) }
      }
    }
  }
}
