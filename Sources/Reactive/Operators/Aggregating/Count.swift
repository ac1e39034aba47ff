public import TraceFormat

extension Signal {
  /// Sends the number of values when the source completes.
  ///
  /// ```
  /// source    -a-b-c-|
  /// count()   -------(3|)
  /// ```
  ///
  /// If the source is empty, the number is 0. A failure is forwarded at once, without a number.
  ///
  /// - Returns: A signal of one number that ends when this one does, and in the same way.
  @inlinable
  public func count(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Int, Failure> {
    Signal<Int, Failure>(
      Site("count", file, line, column, [.folds, .sendsAtEnd]),
      .one(self),
      argument: .none
    ) {
      [self] down in
      attachFolding(to: down, from: 0) { count, _ in
        count += 1
      } result: {
        $0
      }
    }
  }
}
