public import TraceFormat

extension Signal where Value: Sequence, Value.Element: Sendable {
  /// Sends the elements of each value one by one.
  ///
  /// ```
  /// source    -A-----B---|     A: [1, 2], B: [3]
  /// flatten   -(12)--3---|
  /// ```
  ///
  /// A sequence may be endless: no further element is taken after the subscription has ended.
  ///
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func flatten(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value.Element, Failure> {
    Signal<Value.Element, Failure>(
      Site("flatten", file, line, column, .flattens),
      .one(self),
      argument: .none
    ) {
      [self] down in
      attach(
        down.with { [scope = down.scope, next = down.next] values in
          var iterator = values.makeIterator()
          while scope.isActive, let value = iterator.next() { next(value) }
        }
      )
    }
  }
}
