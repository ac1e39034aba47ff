extension Signal {
  /// Goes on with another signal when this one fails.
  ///
  /// ```
  /// source    -1-2-#
  /// other          -3-|
  /// catch     -1-2--3-|
  /// ```
  ///
  /// A failure of the other is forwarded.
  ///
  /// - Parameters:
  ///   - handler: Runs at most once per subscription, with the failure.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that fails as the replacement does.
  @inlinable
  public func `catch`<NewFailure: Error>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(Site("catch", file, line, column), .one(self)) { [self] down in
      let first = Scope<Failure>(in: down.scope) { end in
        switch end {
        case .completed: down.scope.end(.completed)
        case .failed(let error): down.attachLater(handler(error))
        case .sourceGone: down.scope.end(.sourceGone)
        }
      }
      attach(Sink(first, down.trace, down.below, next: down.next))
    }
  }
}
