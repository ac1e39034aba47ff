extension Signal {
  /// A cold signal with a separate resource for each subscription, which is disposed of when that
  /// ends.
  ///
  /// ```
  /// using { open() } _: { $0.lines }   -1-2-|   the resource lives as long
  /// ```
  ///
  /// In whatever way the subscription ends, first the source is ended, then the resource disposed
  /// of, then the subscriber is notified.
  ///
  /// - Parameters:
  ///   - acquire: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background``.
  ///   - make: Makes the signal to forward.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that forwards all events of the signal that `make` returns.
  /// - Complexity: Retains the resource for as long as a subscription lasts.
  @inlinable
  public static func using<Resource: Disposable>(
    _ acquire: @escaping @Sendable () -> Resource,
    _ make: @escaping @Sendable (Resource) -> Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("using", file, line, column)) { down in
      down.startCold {
        let resource = acquire()
        down.scope.own(DisposableTeardown(resource))
        if down.scope.isActive { make(resource).attach(down) }
      }
    }
  }

  /// A cold signal with a separate resource for each subscription, released by a closure when that
  /// ends.
  ///
  /// ```
  /// using { open() } release: { $0.close() } _: { $0.lines }   -1-2-|
  /// ```
  ///
  /// - Parameters:
  ///   - acquire: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background``.
  ///   - release: Runs once per subscription, on the thread that ends it.
  ///   - make: Makes the signal to forward.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that forwards all events of the signal that `make` returns.
  /// - Complexity: Retains the resource for as long as a subscription lasts.
  @inlinable
  public static func using<Resource: Sendable>(
    _ acquire: @escaping @Sendable () -> Resource,
    release: @escaping @Sendable (Resource) -> Void,
    _ make: @escaping @Sendable (Resource) -> Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("using", file, line, column)) { down in
      down.startCold {
        let resource = acquire()
        down.scope.own(ActionTeardown { release(resource) })
        if down.scope.isActive { make(resource).attach(down) }
      }
    }
  }
}
