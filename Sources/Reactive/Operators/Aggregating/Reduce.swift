public import TraceFormat

extension Signal {
  /// Combines all values into one result and sends it when the source completes.
  ///
  /// ```
  /// source           -1-2-3-|
  /// reduce(0, +)     -------(6|)
  /// ```
  ///
  /// If the source is empty, the initial result is sent. A failure is forwarded at once, without a
  /// result. To get every intermediate result, use ``scan(_:_:file:line:column:)``. To build up a
  /// collection, use ``Signal/reduce(into:_:file:line:column:noClosure:)``, which does not copy the
  /// collection for each value.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - combine: Makes the next result from the previous one and a value.
  /// - Returns: A signal of one result that ends when this one does, and in the same way.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public func reduce<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("reduce", file, line, column, [.folds, .sendsAtEnd]), .one(self)) {
      [self] down in
      attachFolding(to: down, from: initial) {
        $0 = combine($0, $1)
      } result: {
        $0
      }
    }
  }

  /// Updates a result with each value, and sends the result when the source completes.
  ///
  /// ```
  /// source                               -1-2-1-|
  /// reduce(into: []) { $0.insert($1) }   -------(s|)   s: the set of 1 and 2
  /// ```
  ///
  /// Works like ``reduce(_:_:file:line:column:)``, but changes the result in place: a collection is
  /// not copied for each value.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - update: Runs once per value and subscription.
  ///   - noClosure: Never pass this. Without this parameter, the compiler would report a mistake in
  ///     the closure of `reduce(_:_:)` as a missing label `into:`.
  /// - Returns: A signal of one result that ends when this one does, and in the same way.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public func reduce<Result: Sendable>(
    into initial: Result,
    _ update: @escaping @Sendable (inout Result, Value) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(
      Site("reduce(into:)", file, line, column, [.folds, .sendsAtEnd]),
      .one(self)
    ) {
      [self] down in
      attachFolding(to: down, from: initial, by: update) { $0 }
    }
  }
}
