public import TraceFormat

extension Signal {
  /// Sends the same value in place of each value.
  ///
  /// ```
  /// source      -1-2-3-|
  /// map(to: x)  -x-x-x-|
  /// ```
  ///
  /// A trailing closure is always passed to the `map` that takes a function. To send a closure as
  /// the value, write the label `to:`.
  ///
  /// - Parameters:
  ///   - replacement: The value to send, which is the same for all subscriptions.
  ///   - noClosure: Never pass this. The parameter keeps the compiler from taking a trailing
  ///     closure for `replacement`.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @_disfavoredOverload @inlinable
  public func map<Result: Sendable>(
    to replacement: Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("map(to:)", file, line, column, .passes), .one(self)) {
      [self] down in
      attach(down.with { [next = down.next] _ in next(replacement) })
    }
  }

  /// Sends one property of each value.
  ///
  /// ```
  /// source        -a-b-|   a: User("Ann"), b: User("Bob")
  /// map(\.name)   -x-y-|   x: "Ann", y: "Bob"
  /// ```
  ///
  /// Use it for a key path that is stored in a variable. A literal key path is passed, as a
  /// function, to the `map` that takes a function.
  ///
  /// - Parameters:
  ///   - keyPath: Read once per value and subscription.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable @_disfavoredOverload
  public func map<Result: Sendable>(
    _ keyPath: any KeyPath<Value, Result> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("map", file, line, column, .passes), .one(self)) { [self] down in
      attach(down.with { [next = down.next] in next($0[keyPath: keyPath]) })
    }
  }

  /// Sends a value in place of each nil.
  ///
  /// ```
  /// source                 -1-x-3-|   x: nil
  /// replaceNil(with: 0)    -1-0-3-|
  /// ```
  ///
  /// - Parameters:
  ///   - replacement: The value to send in place of nil.
  /// - Returns: A signal of non-optional values, which ends exactly when this one does, and in the
  ///   same way.
  @inlinable
  public func replaceNil<Wrapped: Sendable>(
    with replacement: Wrapped,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Wrapped, Failure> where Value == Wrapped? {
    Signal<Wrapped, Failure>(Site("replaceNil(with:)", file, line, column, .passes), .one(self)) {
      [self] down in
      attach(down.with { [next = down.next] in next($0 ?? replacement) })
    }
  }
}
