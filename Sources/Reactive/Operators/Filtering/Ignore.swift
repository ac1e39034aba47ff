public import TraceFormat

extension Signal where Value: Equatable {
  /// Leaves out the values that are equal to a given value.
  ///
  /// ```
  /// source      -1-0-2-0-|
  /// ignore(0)   -1---2---|
  /// ```
  ///
  /// If the value type is an optional, `ignore(nil)` leaves out nil and keeps the type, whereas
  /// ``skipNil(file:line:column:)`` also unwraps the values.
  ///
  /// - Parameters:
  ///   - unwanted: Compared with each value.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func ignore(
    _ unwanted: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("ignore", file, line, column, .drops), .one(self)) { [self] down in
      attach(down.with { [next = down.next] in if $0 != unwanted { next($0) } })
    }
  }
}
