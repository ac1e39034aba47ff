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
  ///   - resetsOnValue: Whether the count of tries begins anew when the signal sends a value.
  /// - Returns: A signal that fails only when the last try does.
  /// - Complexity: Retains one timer during each pause; disposal cancels the timer.
  public func retry(
    _ extraTries: Int = .max,
    delay: Duration,
    on scheduler: some Scheduler,
    resetsOnValue: Bool = false,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    retry(
      extraTries,
      delay: { _, _ in delay },
      on: scheduler,
      resetsOnValue: resetsOnValue,
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
  /// A connection that lasted for hours and then breaks should not wait as long as one that could
  /// never be made. With `resetsOnValue`, the tries are counted since the last value: the next
  /// pause is the first one again, and all extra tries are left.
  ///
  /// - Parameters:
  ///   - extraTries: The maximum number of further subscriptions; by default there is no limit.
  ///     Must not be negative.
  ///   - delay: Called with the number of the retry, from 1, and the failure. Returns how long to
  ///     wait before that retry, or nil to forward the failure.
  ///   - scheduler: Where the pause is timed and the next try begins.
  ///   - resetsOnValue: Whether the number of the retry begins at 1 again when the signal has sent
  ///     a value. A signal that always sends a value before it fails is then retried for ever.
  /// - Returns: A signal that fails when the last try does, or when the closure returns nil.
  /// - Complexity: Retains one timer during each pause; disposal cancels the timer.
  public func retry(
    _ extraTries: Int = .max,
    delay: @escaping @Sendable (_ number: Int, _ failure: Failure) -> Duration?,
    on scheduler: some Scheduler,
    resetsOnValue: Bool = false,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      extraTries >= 0,
      "retry(\(extraTries), delay:): the number of tries must be ≥ 0 (OperatorIndex, retry(delay:))"
    )
    let site = Site("retry(delay:)", file, line, column, [.passes, .retries])
    return Signal(site, .one(self)) { [self] down in
      // Values and ends of the tries never overlap, so the number needs no lock.
      let made = StageState(0)
      let next = down.next
      let counting =
        resetsOnValue
        ? down.with { value in
          made.value = 0
          next(value)
        } : down
      ResubscribeStage(self, counting, site) { end in
        guard case .failed(let failure) = end, made.value < extraTries else { return .end }
        made.value += 1
        guard let pause = delay(made.value, failure) else { return .end }
        return .resubscribeAfter(pause, on: scheduler)
      }
      .start()
    }
  }
}
