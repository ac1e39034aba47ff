extension Signal {
  /// A cold signal that asks a closure, at each subscription, which signal to forward.
  ///
  /// ```
  /// deferred { a }   -1-2-|   as the signal made for this subscription
  /// ```
  ///
  /// What the closure does happens when somebody subscribes, not when the signal is made.
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
