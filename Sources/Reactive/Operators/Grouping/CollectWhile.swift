public import TraceFormat

extension Signal {
  /// Collects values into lists, each of which is sent as soon as a test of the list is true.
  ///
  /// ```
  /// source                                  -1-2-3-4-|
  /// collect(until: { $0.reduce(0, +) > 4 }) -----a---(b|)   a: [1, 2, 3], b: [4]
  /// ```
  ///
  /// The value that makes the test true belongs to the list. When the source completes, the
  /// remaining values are sent first; they are dropped if the source fails (event contract, rule 4)
  /// or can no longer send.
  ///
  /// - Parameters:
  ///   - isComplete: Runs once per value and subscription, with the list to which the value has
  ///     been added.
  /// - Returns: A signal of lists, none of them empty, which ends exactly when this one does, and
  ///   in the same way.
  /// - Complexity: Retains the values of the current list, however many there are.
  @inlinable
  public func collect(
    until isComplete: @escaping @Sendable (_ collected: [Value]) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(Site("collect(until:)", file, line, column, .folds), .one(self)) {
      [self] in
      attachCollecting(to: $0) { held, value in
        held.append(value)
        guard isComplete(held) else { return nil }
        defer { held = [] }
        return held
      }
    }
  }

  /// Collects values into lists; a test decides whether a value belongs to the current list or
  /// begins another one.
  ///
  /// ```
  /// source                                  -1-2-1-3-|
  /// collect(while: { $1 > $0.last ?? 0 })   -----a---(b|)   a: [1, 2], b: [1, 3]
  /// ```
  ///
  /// A list is sent when a value arrives that does not belong to it. The first value of a list is
  /// not tested. When the source completes, the remaining values are sent first; they are dropped
  /// if the source fails (event contract, rule 4) or can no longer send.
  ///
  /// - Parameters:
  ///   - belongs: Runs at most once per value and subscription, with the list so far and the value.
  /// - Returns: A signal of lists, none of them empty, which ends exactly when this one does, and
  ///   in the same way.
  /// - Complexity: Retains the values of the current list, however many there are.
  @inlinable
  public func collect(
    while belongs: @escaping @Sendable (_ collected: [Value], _ next: Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(Site("collect(while:)", file, line, column, .folds), .one(self)) {
      [self] in
      attachCollecting(to: $0) { held, value in
        if held.isEmpty || belongs(held, value) {
          held.append(value)
          return nil
        }
        defer { held = [value] }
        return held
      }
    }
  }
}
