extension Signal {
  /// Sends some values before those of the source.
  ///
  /// ```
  /// source          ---1-2-|
  /// startWith(0)    (0)--1-2-|
  /// ```
  ///
  /// The source is subscribed to after the values were handled.
  ///
  /// - Parameters:
  ///   - values: Sent in order to each subscriber.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends exactly when, and as, this one does.
  @inlinable
  public func startWith(
    _ values: Value...,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("startWith", file, line, column), .one(self)) { [self] down in
      down.startCold {
        for value in values {
          guard down.scope.isActive else { return }
          down.next(value)
        }
        if down.scope.isActive { self.attach(down) }
      }
    }
  }
}
