public import TraceFormat

extension Signal {
  /// Forwards the value at a position, then completes and ends the source.
  ///
  /// ```
  /// source           -1-2-3-|
  /// element(at: 1)   ---(2|)
  /// ```
  ///
  /// If the source completes before it has sent enough values, the result is empty; to turn an
  /// empty result into a failure, use ``failIfEmpty(_:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - index: The position, counted from 0; must not be negative.
  /// - Returns: A signal of at most one value, which ends its source when it sends that value.
  @inlinable
  public func element(
    at index: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      index >= 0,
      "element(at: \(index)): the index must be ≥ 0 (OperatorIndex, element(at:))"
    )
    return Signal(
      Site("element(at:)", file, line, column, [.bounding, .drops]),
      .one(self),
      argument: .integer(index)
    ) { [self] down in
      let before = StageState(index)
      attachDeciding(to: down, otherwise: nil) { value in
        if before.value == 0 { return value }
        before.value -= 1
        return nil
      }
    }
  }
}
