extension Signal {
  /// A cold signal that calls a closure at each subscription to get the signal to forward.
  ///
  /// ```
  /// deferred { a }   -1-2-|   the events of the signal made for this subscription
  /// ```
  ///
  /// - Parameters:
  ///   - make: Returns the signal. Runs once per subscription: at once if there is a current
  ///     scheduler, otherwise on ``QueueScheduler/background`` (event contract, rule 8).
  /// - Returns: A signal that sends the events of the signal made for the subscription.
  @inlinable
  public static func deferred(
    _ make: @escaping @Sendable () -> Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("deferred", file, line, column), argument: making(make)) { down in
      down.startCold { make().attach(down) }
    }
  }

  @usableFromInline @inline(never)
  static func making(_ make: @escaping @Sendable () -> Signal) -> Argument {
    .descending(Descending<Value, Failure>(.deferred(make), isCold: true))
  }
}
