extension Signal {
  /// A cold signal that runs a closure and sends the value it returns, or fails with the error it
  /// throws.
  ///
  /// ```
  /// attempt { try load() }   (1|)   or   #
  /// ```
  ///
  /// The closure runs when the signal is subscribed to; it should not block for long.
  ///
  /// - Parameters:
  ///   - body: Runs once per subscription: at once if there is a current scheduler, otherwise on
  ///     ``QueueScheduler/background``.
  /// - Returns: A signal that sends one value and completes, or fails.
  @inlinable
  public static func attempt(
    _ body: @escaping @Sendable () throws(Failure) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("attempt", file, line, column)) { down in
      down.startCold {
        do throws(Failure) {
          let value = try body()
          if down.scope.isActive { down.next(value) }
          down.scope.end(.completed)
        } catch {
          down.scope.end(.failed(error))
        }
      }
    }
  }

  /// A cold signal that sends the value of a result and completes, or fails with the failure of the
  /// result, before `subscribe` returns.
  ///
  /// The signal needs no scheduler (event contract, rule 8).
  ///
  /// - Parameters:
  ///   - result: Its value or failure is sent to each subscriber.
  @inlinable
  public convenience init(
    _ result: Result<Value, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(Site("result", file, line, column)) { down in
      guard down.scope.isActive else { return }
      switch result {
      case .success(let value):
        down.next(value)
        down.scope.end(.completed)
      case .failure(let error): down.scope.end(.failed(error))
      }
    }
  }
}
