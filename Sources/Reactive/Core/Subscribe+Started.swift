import TraceFormat

extension Signal {
  /// Starts this signal, after passing the subscription's disposable to a closure.
  ///
  /// `started` is called before this signal is subscribed to, and therefore before any event. The
  /// disposable that it receives can end the subscription during the first value, even if a signal
  /// sends all its values on subscription.
  ///
  /// ```swift
  /// numbers.subscribe(started: { held.inner = $0 }, next: { if $0 > 9 { held.dispose() } })
  /// ```
  ///
  /// - Parameters:
  ///   - started: Receives the disposable. If the closure disposes of it, nothing is subscribed to.
  ///   - next: Called with each value, one at a time.
  ///   - failed: Called at most once, last. Without it a failure goes to ``UnhandledFailure``.
  ///   - completed: Called at most once, last.
  /// - Returns: The disposable that `started` received.
  @discardableResult
  public func subscribe(
    started: (any Disposable) -> Void,
    next: @escaping @Sendable (Value) -> Void,
    failed: (@Sendable (Failure) -> Void)? = nil,
    completed: (@Sendable () -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site(
      "subscribe",
      file,
      line,
      column,
      Self.rootTraits(failed != nil, completed != nil)
    )
    let whole = root(failed, completed, site)
    return begin(whole, site, next, started: started)
  }
}
