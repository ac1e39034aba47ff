public import TraceFormat

extension Signal {
  /// Forwards values for as long as a test is true, then completes and ends the source.
  ///
  /// ```
  /// source                                   -1-2-3-1-|
  /// take(while: { $0 < 3 })                  -1-2-|
  /// take(while: { $0 < 3 }, inclusive: true) -1-2-(3|)
  /// ```
  ///
  /// Nothing after the first value that fails the test is tested or forwarded. If the source ends
  /// before such a value, the result ends in the same way.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription, until it returns false.
  ///   - inclusive: Whether the value that fails the test is forwarded too.
  /// - Returns: A signal that ends its source and completes when a value fails the test; until
  ///   then, it ends as the source does.
  @inlinable
  public func take(
    while isIncluded: @escaping @Sendable (Value) -> Bool,
    inclusive: Bool = false,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("take(while:)", file, line, column, [.bounding, .drops]), .one(self)) {
      [self] down in
      let upstream = down.part()
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
          if isIncluded(value) { return next(value) }
          if inclusive { next(value) }
          upstream.finish(.completed, upstream: .cancelled)
        }
      )
    }
  }
}
