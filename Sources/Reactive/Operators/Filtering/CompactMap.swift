public import TraceFormat

extension Signal {
  /// Applies a function to each value and forwards the results that are not nil.
  ///
  /// ```
  /// source                     -1-x-2-|
  /// compactMap { Int($0) }     -1---2-|
  /// ```
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result?,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("compactMap", file, line, column, .drops), .one(self)) {
      [self] down in
      attach(down.with { [next = down.next] in if let result = transform($0) { next(result) } })
    }
  }

  /// Leaves out nil and unwraps the other values.
  ///
  /// ```
  /// source      -1-n-2-|   n: nil
  /// skipNil()   -1---2-|
  /// ```
  ///
  /// Only one level is unwrapped: if the values are doubly optional, an inner nil is forwarded.
  ///
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func skipNil<Wrapped: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Wrapped, Failure> where Value == Wrapped? {
    Signal<Wrapped, Failure>(
      Site("skipNil", file, line, column, .drops),
      .one(self),
      argument: .none
    ) {
      [self] down in
      attach(down.with { [next = down.next] in if let value = $0 { next(value) } })
    }
  }
}
