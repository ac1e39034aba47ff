public import TraceFormat

extension Signal where Value == Bool {
  /// Sends the opposite of each value.
  ///
  /// ```
  /// source   -t-f-t-|
  /// negate   -f-t-f-|
  /// ```
  ///
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func negate(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("negate", file, line, column, .passes), .one(self), argument: .none) {
      [self] down in
      attach(down.with { [next = down.next] in next(!$0) })
    }
  }

  /// Sends whether the latest values of this signal and another are both true.
  ///
  /// ```
  /// source       -t-----f-|
  /// other        ---f-t----|
  /// and(other)   ---f-t-f--|
  /// ```
  ///
  /// Once both signals have sent a value, the result sends whenever either of them sends, even if
  /// the answer does not change. The result completes when both signals have completed.
  ///
  /// - Parameters:
  ///   - other: Subscribed to after this signal.
  /// - Returns: A signal that fails as soon as one of the signals fails.
  public func and(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("and", file, line, column, [.passes, .waitsForAll, .partners])
    return Signal(site, .many([self, other]), argument: .none) { [self] down in
      LogicStage.start([self, other], down, isConjunction: true)
    }
  }

  /// Sends whether at least one of the latest values of this signal and another is true.
  ///
  /// ```
  /// source      -t-----f-|
  /// other       ---f-t----|
  /// or(other)   ---t-t-t--|
  /// ```
  ///
  /// The result sends and ends at the same times as that of ``and(_:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - other: Subscribed to after this signal.
  /// - Returns: A signal that fails as soon as one of the signals fails.
  public func or(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("or", file, line, column, [.passes, .waitsForAll, .partners])
    return Signal(site, .many([self, other]), argument: .none) { [self] down in
      LogicStage.start([self, other], down, isConjunction: false)
    }
  }

  /// Sends whether the latest values of several signals are all true.
  ///
  /// ```
  /// a     -t-----f-|
  /// b     ---f-t----|
  /// all   ---f-t-f--|
  /// ```
  ///
  /// Once all signals have sent a value, the result sends whenever any of them sends. The result
  /// completes when all signals have completed. If there are no signals, the result sends true and
  /// completes at once.
  ///
  /// - Parameters:
  ///   - signals: Subscribed to in this order.
  /// - Returns: A signal that fails as soon as one of the signals fails.
  /// - Complexity: O(1) per value. Retains one value of each signal.
  public static func all(
    _ signals: [Signal],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("all", file, line, column, [.passes, .waitsForAll, .partners]),
      .many(signals),
      argument: .list
    ) { down in
      LogicStage.start(signals, down, isConjunction: true)
    }
  }

  /// Sends whether at least one of the latest values of several signals is true.
  ///
  /// ```
  /// a     -t-----f-|
  /// b     ---f-t----|
  /// any   ---t-t-t--|
  /// ```
  ///
  /// The result sends and ends at the same times as that of ``all(_:file:line:column:)``. If there
  /// are no signals, the result sends false and completes at once.
  ///
  /// - Parameters:
  ///   - signals: Subscribed to in this order.
  /// - Returns: A signal that fails as soon as one of the signals fails.
  /// - Complexity: O(1) per value. Retains one value of each signal.
  public static func any(
    _ signals: [Signal],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("any", file, line, column, [.passes, .waitsForAll, .partners]),
      .many(signals),
      argument: .list
    ) { down in
      LogicStage.start(signals, down, isConjunction: false)
    }
  }
}
