public import TraceFormat

extension Signal {
  /// Sends some values after those of the source.
  ///
  /// ```
  /// source        -1-2-|
  /// endWith(9)    -1-2-(9|)
  /// ```
  ///
  /// Nothing is appended after a failure.
  ///
  /// - Parameters:
  ///   - values: Sent in order to each subscriber, when the source has completed.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends exactly when, and as, this one does.
  @inlinable
  public func endWith(
    _ values: Value...,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("endWith", file, line, column, .passes), .one(self)) { [self] down in
      attach(down, before: values)
    }
  }

  /// Starts this signal, and sends `values` when it has completed.
  @usableFromInline
  func attach(_ down: Sink<Value, Failure>, before values: [Value]) {
    let upstream = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end {
        for value in values {
          guard down.scope.isActive else { return }
          down.next(value)
        }
      }
      down.scope.end(end)
    }
    attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
  }

  /// Forwards another signal when this one has completed, as `concat` does.
  ///
  /// ```
  /// source          -1-|
  /// other              -2-|
  /// append(other)   -1--2-|
  /// ```
  ///
  /// - Parameters:
  ///   - other: Subscribed to after completion.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends when the other does, or fails when this one does.
  public func append(
    _ other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(
      Site("append", file, line, column, [.merging, .passes]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .signal(other)))
    ) { [self] down in attach(down, then: { other }) }
  }

  /// Forwards another signal first, and when that has completed, this one.
  ///
  /// ```
  /// other            -1-|
  /// source              -2-|
  /// prepend(other)   -1--2-|
  /// ```
  ///
  /// This signal is not subscribed to before that, and never if the other fails: values that a hot
  /// signal sends meanwhile are missed.
  ///
  /// - Parameters:
  ///   - other: Subscribed to first.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends when this one does, or fails when the other does.
  public func prepend(
    _ other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(
      Site("prepend", file, line, column, [.merging, .passes]),
      .many([other, self]),
      argument: .following(Descending<Value, Failure>(.signal(other), .signal(self)))
    ) { [self] down in other.attach(down, then: { self }) }
  }
}
