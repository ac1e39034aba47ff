import TraceFormat

extension Signal {
  /// Subscribes again when this signal fails, after a pause.
  ///
  /// ```
  /// source              -1-#
  /// retry (1, delay 2)  -1----1-#
  /// ```
  ///
  /// When no further try is allowed, the failure is forwarded at once.
  ///
  /// - Parameters:
  ///   - extraTries: The maximum number of further subscriptions; by default there is no limit.
  ///     Must not be negative.
  ///   - delay: How long to wait between a failure and the next try.
  ///   - scheduler: Where the pause is timed and the next try begins.
  /// - Returns: A signal that fails only when the last try does.
  /// - Complexity: Retains one timer during each pause; disposal cancels the timer.
  public func retry(
    _ extraTries: Int = .max,
    delay: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    retry(
      extraTries,
      delay: { _, _ in delay },
      on: scheduler,
      file: file,
      line: line,
      column: column
    )
  }

  /// Subscribes again when this signal fails, after a pause that a closure chooses.
  ///
  /// ```
  /// source                       -#
  /// retry (3) { number, _ in     -#
  ///   .seconds(1 << number) }    -------- pauses of 2, 4 and 8 seconds
  /// ```
  ///
  /// - Parameters:
  ///   - extraTries: The maximum number of further subscriptions; by default there is no limit.
  ///     Must not be negative.
  ///   - delay: Called with the number of the retry, from 1, and the failure. Returns how long to
  ///     wait before that retry, or nil to forward the failure.
  ///   - scheduler: Where the pause is timed and the next try begins.
  /// - Returns: A signal that fails when the last try does, or when the closure returns nil.
  /// - Complexity: Retains one timer during each pause; disposal cancels the timer.
  public func retry(
    _ extraTries: Int = .max,
    delay: @escaping @Sendable (_ number: Int, _ failure: Failure) -> Duration?,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      extraTries >= 0,
      "retry(\(extraTries), delay:): the number of tries must be ≥ 0 (OperatorIndex, retry(delay:))"
    )
    let site = Site("retry(delay:)", file, line, column, [.passes, .retries])
    return Signal(site, .one(self)) { [self] down in
      let made = StageState(0)
      ResubscribeStage(self, down, site) { end in
        guard case .failed(let failure) = end, made.value < extraTries else { return .end }
        made.value += 1
        guard let pause = delay(made.value, failure) else { return .end }
        return .resubscribeAfter(pause, on: scheduler)
      }
      .start()
    }
  }
}
