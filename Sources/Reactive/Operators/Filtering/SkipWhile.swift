public import TraceFormat

extension Signal {
  /// Leaves out values for as long as a test is true, then forwards everything.
  ///
  /// ```
  /// source                    -1-2-3-1-|
  /// skip(while: { $0 < 3 })   -----3-1-|
  /// ```
  ///
  /// The first value that fails the test and all later values are forwarded; the later values are
  /// not tested. If no value fails the test, the result is empty.
  ///
  /// - Parameters:
  ///   - isSkipped: Runs once per value and subscription, until it returns false.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func skip(
    while isSkipped: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("skip(while:)", file, line, column, .drops), .one(self)) { [self] down in
      let isOpen = StageState(false)
      attach(
        down.with { [next = down.next] value in
          if !isOpen.value {
            if isSkipped(value) { return }
            isOpen.value = true
          }
          next(value)
        }
      )
    }
  }
}
