import TraceFormat

extension Signal {
  /// Continues with another signal if this one completes without a value.
  ///
  /// ```
  /// source                   ---|
  /// other                       -1-2-|
  /// ifEmpty(switchTo: …)     ----1-2-|
  /// ```
  ///
  /// If this signal sends a value or fails, `other` is never subscribed to. `other` may be empty as
  /// well.
  ///
  /// - Parameters:
  ///   - other: Subscribed to when this signal has completed without a value.
  /// - Returns: A signal that ends as this one does or, if this one completes without a value, as
  ///   `other` does.
  public func ifEmpty(
    switchTo other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("ifEmpty(switchTo:)", file, line, column, [.merging, .passes]),
      .many([self, other]),
      argument: .none
    ) { [self] down in
      let tail = down.chained()
      attachIfEmpty(to: down) { tail.attachNext { other } }
    }
  }
}
