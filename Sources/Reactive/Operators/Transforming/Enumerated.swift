public import TraceFormat

extension Signal {
  /// Numbers the values, from 0.
  ///
  /// ```
  /// source       -a-b-c-|
  /// enumerated   -x-y-z-|   x: (0, a), y: (1, b), z: (2, c)
  /// ```
  ///
  /// Each subscription counts separately. Other libraries have forms of `map`, `filter` and `scan`
  /// with an index; here, put this operator before the plain form.
  ///
  /// - Returns: A signal of numbers and values, which ends exactly when this one does, and in the
  ///   same way.
  @inlinable
  public func enumerated(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(index: Int, value: Value), Failure> {
    Signal<(index: Int, value: Value), Failure>(
      Site("enumerated", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] down in
      let count = StageState(0)
      attach(
        down.with { [next = down.next] value in
          let index = count.value
          count.value += 1
          next((index, value))
        }
      )
    }
  }
}
