public import TraceFormat

extension Signal {
  /// Sends given values before the values of the source.
  ///
  /// ```
  /// source          ---1-2-|
  /// startWith(0)    (0)--1-2-|
  /// ```
  ///
  /// The source is subscribed to after the given values have been handled. The given values need no
  /// scheduler, and are sent before `subscribe` returns (event contract, rule 8).
  ///
  /// - Parameters:
  ///   - values: Sent in order to each subscriber.
  /// - Returns: A signal that ends when this one does, and in the same way.
  @inlinable
  public func startWith(
    _ values: Value...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("startWith", file, line, column, .passes), .one(self)) { [self] down in
      attach(down, after: values)
    }
  }

  /// Sends `values` to `down`, then subscribes `down` to this signal.
  @usableFromInline
  func attach(_ down: Sink<Value, Failure>, after values: [Value]) {
    let tail = down.chained()
    for value in values {
      guard tail.scope.isActive else { return }
      tail.next(value)
    }
    tail.attachNext { self }
  }
}
