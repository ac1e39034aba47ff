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
  /// The first value that fails the test decides: nothing after it is tested or forwarded. It is
  /// itself forwarded only if `inclusive` is true. If the source ends before that, the result ends
  /// in the same way.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription, and not again after it has been false.
  ///   - inclusive: Whether the value that failed the test is forwarded too.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that completes by itself, and ends its source when it does.
  @inlinable
  public func take(
    while isIncluded: @escaping @Sendable (Value) -> Bool,
    inclusive: Bool = false,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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
