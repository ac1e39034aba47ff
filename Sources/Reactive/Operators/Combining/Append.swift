public import TraceFormat

extension Signal {
  /// Sends given values after the values of the source.
  ///
  /// ```
  /// source        -1-2-|
  /// endWith(9)    -1-2-(9|)
  /// ```
  ///
  /// If the source fails, the given values are not sent.
  ///
  /// - Parameters:
  ///   - values: Sent in order to each subscriber when the source has completed.
  /// - Returns: A signal that ends when this one does, and in the same way.
  @inlinable
  public func endWith(
    _ values: Value...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("endWith", file, line, column, .passes), .one(self)) { [self] down in
      attach(down, before: values)
    }
  }

  /// Subscribes `down` to this signal, and sends `values` to `down` when this signal has completed.
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

  /// Forwards this signal and, once this signal has completed, another, like `concat`.
  ///
  /// ```
  /// source          -1-|
  /// other              -2-|
  /// append(other)   -1--2-|
  /// ```
  ///
  /// - Parameters:
  ///   - other: Subscribed to when this signal has completed.
  /// - Returns: A signal that completes when the other does, and fails when either does.
  public func append(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("append", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .signal(other)))
    ) { [self] down in attach(down, then: { other }) }
  }

  /// Forwards another signal and, once the other has completed, this signal.
  ///
  /// ```
  /// other            -1-|
  /// source              -2-|
  /// prepend(other)   -1--2-|
  /// ```
  ///
  /// This signal is subscribed to only when the other has completed, and never if the other fails.
  /// If this signal is hot, values that it sends before the other completes are missed.
  ///
  /// - Parameters:
  ///   - other: Subscribed to first.
  /// - Returns: A signal that completes when this one does, and fails when either does.
  public func prepend(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("prepend", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([other, self]),
      argument: .following(Descending<Value, Failure>(.signal(other), .signal(self)))
    ) { [self] down in other.attach(down, then: { self }) }
  }
}
