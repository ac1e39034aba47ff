extension Signal {
  /// A cold signal that calls a closure at each subscription to get the signal to forward.
  ///
  /// ```
  /// deferred { a }   -1-2-|   as the signal made for this subscription
  /// ```
  ///
  /// The closure runs when the signal is subscribed to, not when it is made.
  ///
  /// - Parameters:
  ///   - make: Runs once per subscription, on its scheduler.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that sends and ends exactly as the one made.
  @inlinable
  public static func deferred(
    _ make: @escaping @Sendable () -> Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("deferred", file, line, column), argument: making(make)) { down in
      down.startCold { make().attach(down) }
    }
  }

  @usableFromInline @inline(never)
  static func making(_ make: @escaping @Sendable () -> Signal) -> Argument {
    .descending(Descending<Value, Failure>(.made(make), isCold: true))
  }
}
