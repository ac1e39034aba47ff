public import TraceFormat

extension Signal {
  /// Runs a closure for each subscription, before this signal is subscribed to.
  ///
  /// ```
  /// source        -1-2-|
  /// doStarted     x1-2-|      x: the closure
  /// ```
  ///
  /// If a chain has several of these operators, the closure furthest downstream runs first. The
  /// closure runs on the thread that subscribes, so that no value of a hot source is missed.
  ///
  /// - Parameters:
  ///   - action: Runs once per subscription. If the closure ends the subscription, this signal is
  ///     not subscribed to.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doStarted(
    _ action: @escaping @Sendable () -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doStarted", file, line, column, .passes), .one(self)) { [self] down in
      action()
      if down.scope.isActive { attach(down) }
    }
  }
}
