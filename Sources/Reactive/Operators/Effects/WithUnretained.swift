public import TraceFormat

extension Signal {
  /// Pairs each value with an object that the subscription does not keep alive.
  ///
  /// ```
  /// source                -1-2-3-
  /// withUnretained(o)     -(o,1)-(o,2)-|       o is released before 3
  /// ```
  ///
  /// The first value that arrives after the object has been released completes the signal and
  /// cancels the subscription to the source.
  ///
  /// - Parameters:
  ///   - owner: The object.
  /// - Returns: A signal that ends when its source does, or completes earlier.
  @inlinable
  public func withUnretained<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Owner, Value), Failure> {
    let owner = WeakReference(owner)
    return Signal<(Owner, Value), Failure>(
      Site("withUnretained", file, line, column, [.bounding, .passes]),
      .one(self),
      argument: .closure
    ) { [self] down in
      let upstream = down.part()
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
          guard let object = owner.object else {
            return upstream.finish(.completed, upstream: Ending(.ownerGone))
          }
          next((object, value))
        }
      )
    }
  }
}
