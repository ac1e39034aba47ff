public import TraceFormat

extension Signal {
  /// Sends all values as one array when the source completes.
  ///
  /// ```
  /// source      -1-2-3-|
  /// collect()   -------(a|)   a: [1, 2, 3]
  /// ```
  ///
  /// If the source is empty, the array is empty. A failure is forwarded at once, and the values
  /// collected so far are dropped (event contract, rule 4).
  ///
  /// - Returns: A signal of one array that ends when this one does, and in the same way.
  /// - Complexity: Retains all values, without a bound, until the source ends. A trace shows how
  ///   many values are held.
  @inlinable
  public func collect(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      Site("collect", file, line, column, [.folds, .retains, .sendsAtEnd]),
      .one(self),
      argument: .none
    ) {
      [self] down in
      attachFolding(to: down, from: Held<[Value]>([], for: down.trace)) { all, value in
        all.change { $0.append(value) }
      } result: { all in
        var all = all
        return all.takeAll()
      }
    }
  }
}
