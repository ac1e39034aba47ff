extension Signal {
  /// A cold signal that acquires a resource for each subscription, and disposes of the resource
  /// when the subscription ends.
  ///
  /// ```
  /// using { open() } _: { $0.lines }   -1-2-|   the resource is disposed of at the end
  /// ```
  ///
  /// However the subscription ends, the source is torn down first, then the resource is disposed
  /// of, and then the subscriber is notified of the failure or completion, if there is one.
  ///
  /// - Parameters:
  ///   - acquire: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background``.
  ///   - make: Makes the signal to forward; receives the resource.
  /// - Returns: A signal that forwards all events of the signal that `make` returns.
  /// - Complexity: Retains the resource until the subscription ends.
  @inlinable
  public static func using<Resource: Disposable>(
    _ acquire: @escaping @Sendable () -> Resource,
    _ make: @escaping @Sendable (Resource) -> Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("using", file, line, column)) { down in
      down.startCold {
        let resource = acquire()
        down.scope.own(DisposableTeardown(resource))
        if down.scope.isActive { make(resource).attach(down) }
      }
    }
  }

  /// A cold signal that acquires a resource for each subscription, and passes the resource to a
  /// closure that releases it when the subscription ends.
  ///
  /// ```
  /// using { open() } release: { $0.close() } _: { $0.lines }   -1-2-|
  /// ```
  ///
  /// - Parameters:
  ///   - acquire: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background``.
  ///   - release: Runs once per subscription, on the thread that ends it.
  ///   - make: Makes the signal to forward; receives the resource.
  /// - Returns: A signal that forwards all events of the signal that `make` returns.
  /// - Complexity: Retains the resource until the subscription ends.
  @inlinable
  public static func using<Resource: Sendable>(
    _ acquire: @escaping @Sendable () -> Resource,
    release: @escaping @Sendable (Resource) -> Void,
    _ make: @escaping @Sendable (Resource) -> Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
