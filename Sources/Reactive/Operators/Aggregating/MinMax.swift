public import TraceFormat

extension Signal {
  /// Sends the smallest value, by a given order, when the source completes.
  ///
  /// ```
  /// source        -2-1-3-|
  /// min(by: <)    -------(1|)
  /// ```
  ///
  /// If several values are smallest, the first of them is sent. If the source is empty, the result
  /// completes without a value. A failure is forwarded at once, without a value.
  ///
  /// - Parameters:
  ///   - areInIncreasingOrder: Returns true if its first argument comes before its second; runs at
  ///     most once per value and subscription.
  /// - Returns: A signal of at most one value that ends when this one does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func min(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("min", file, line, column, [.folds, .sendsAtEnd]), .one(self)) { [self] down in
      attachExtreme(to: down) { areInIncreasingOrder($0, $1) }
    }
  }

  /// Sends the largest value, by a given order, when the source completes.
  ///
  /// ```
  /// source        -2-3-1-|
  /// max(by: <)    -------(3|)
  /// ```
  ///
  /// If several values are largest, the first of them is sent. If the source is empty, the result
  /// completes without a value. A failure is forwarded at once, without a value.
  ///
  /// - Parameters:
  ///   - areInIncreasingOrder: Returns true if its first argument comes before its second; runs at
  ///     most once per value and subscription.
  /// - Returns: A signal of at most one value that ends when this one does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func max(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("max", file, line, column, [.folds, .sendsAtEnd]), .one(self)) { [self] down in
      attachExtreme(to: down) { areInIncreasingOrder($1, $0) }
    }
  }

  /// Sends the best value at completion; of several equally good values, sends the first.
  @inlinable
  func attachExtreme(
    to down: Sink<Value, Failure>,
    _ beats: @escaping @Sendable (_ new: Value, _ best: Value) -> Bool
  ) {
    attachFolding(to: down, from: Value?.none) { best, value in
      if let best, !beats(value, best) { return }
      best = value
    } result: {
      $0
    }
  }
}

extension Signal where Value: Comparable {
  /// Sends the smallest value when the source completes; see ``min(by:file:line:column:)``.
  @inlinable
  public func min(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("min", file, line, column, [.folds, .sendsAtEnd]), .one(self), argument: .none) {
      [self] down in
      attachExtreme(to: down) { $0 < $1 }
    }
  }

  /// Sends the largest value when the source completes; see ``max(by:file:line:column:)``.
  @inlinable
  public func max(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("max", file, line, column, [.folds, .sendsAtEnd]), .one(self), argument: .none) {
      [self] down in
      attachExtreme(to: down) { $0 > $1 }
    }
  }
}
