import TraceFormat

extension Signal {
  /// Starts this signal and delivers its events to closures on the main actor, in order.
  ///
  /// Events that are sent on the main queue are handled at once if no other event is waiting; all
  /// others wait in that queue, and are dropped if the subscription ends meanwhile. (See
  /// ``UIScheduler``.)
  ///
  /// - Parameters:
  ///   - next: Called with each value, on the main actor.
  ///   - failed: Called at most once, last, on the main actor. Without it a failure goes to
  ///     ``UnhandledFailure``.
  ///   - completed: Called at most once, last, on the main actor.
  /// - Returns: A disposable that ends the subscription. Dropping it does not end the subscription
  ///   (event contract, rule 7).
  @discardableResult
  public func subscribeOnMainActor(
    next: @escaping @MainActor @Sendable (Value) -> Void = { _ in },
    failed: (@MainActor @Sendable (Failure) -> Void)? = nil,
    completed: (@MainActor @Sendable () -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    let site = Site(
      "subscribeOnMainActor",
      file,
      line,
      column,
      [Self.rootTraits(failed != nil, completed != nil), .onMainQueue]
    )
    let fail = failed.map { failed -> @Sendable (Failure) -> Void in
      { error in MainActor.assumeIsolated { failed(error) } }
    }
    let complete = completed.map { completed -> @Sendable () -> Void in
      { MainActor.assumeIsolated { completed() } }
    }
    return begin(
      root(fail, complete, site),
      site,
      { value in MainActor.assumeIsolated { next(value) } },
      on: UIScheduler.shared
    )
  }
}
