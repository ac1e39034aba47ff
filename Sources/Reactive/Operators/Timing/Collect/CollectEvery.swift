import TraceFormat

extension Signal {
  /// Gathers the values of each interval into an array, and forwards the array at the end of the
  /// interval; no array is empty.
  ///
  /// ```
  /// source              -1-2-----3---4-|        A = [1, 2], B = [3, 4]
  /// collect (every 4)   -----A-------B-|
  /// ```
  ///
  /// The interval begins with the first value of each array, not at fixed times. Completion first
  /// forwards the gathered values; a failure overtakes and drops them (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: The time from the first value of an array until the array is forwarded.
  ///   - scheduler: Where the arrays are forwarded.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains the values of an interval, without a bound, and one timer.
  public func collect(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    timed(
      CollectState<Value, Failure>(interval, count: nil),
      on: scheduler,
      Site("collect(every:)", file, line, column, .folds),
      argument: .duration(interval)
    )
  }

  /// Gathers values into arrays, and forwards an array when its interval ends or when it has a
  /// given number of values, whichever comes first.
  ///
  /// ```
  /// source                          -1-2-3-4---------|    A = [1, 2, 3], B = [4]
  /// collect (every 6, or 3)         -----A-------B---|
  /// ```
  ///
  /// The interval begins with the first value of each array. A full array is forwarded at once,
  /// without the scheduler. Completion first forwards the gathered values; a failure overtakes and
  /// drops them (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: The longest time from the first value of an array until the array is forwarded.
  ///   - count: How many values fill an array; at least 1.
  ///   - scheduler: Where the arrays that are not full are forwarded.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains at most `count` values, and one timer.
  public func collect(
    every interval: Duration,
    orCount count: Int,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    precondition(
      count >= 1,
      "collect(every:orCount: \(count)): the count must be ≥ 1 (OperatorIndex, collect(every:))"
    )
    return timed(
      CollectState<Value, Failure>(interval, count: count),
      on: scheduler,
      Site("collect(every:)", file, line, column, .folds),
      argument: .written { "\(spelled(interval)), orCount: \(count), …" }
    )
  }

  /// Gathers the values of each interval into an array, and forwards the arrays at fixed times,
  /// with options for empty intervals and for the last interval.
  ///
  /// ```
  /// source                                                  -1-2---------3-|
  /// collect (4, skipEmpty: false, discardWhenCompleted: false)  ----A---B---B---(C|)    A = [1, 2], B = [], C = [3]
  /// collect (4, skipEmpty: false, discardWhenCompleted: true)   ----A---B---B--|
  /// collect (4, skipEmpty: true, discardWhenCompleted: false)   ----A-----------(C|)
  /// collect (4, skipEmpty: true, discardWhenCompleted: true)    ----A----------|
  /// ```
  ///
  /// Works as in ReactiveSwift. The first interval begins with the subscription, and each later
  /// interval begins when the previous one ends, so that intervals do not drift. If the scheduler
  /// runs late and misses whole intervals, one array contains the values of all missed intervals.
  /// Unless `discardWhenCompleted` is true, completion waits for the end of the current interval,
  /// even if that interval has no values. A failure overtakes and drops the gathered values (event
  /// contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: The length of an interval; must be positive.
  ///   - scheduler: Where the arrays are forwarded.
  ///   - skipEmpty: Whether to send nothing for an interval without values, instead of an empty
  ///     array.
  ///   - discardWhenCompleted: Whether to forward completion at once, and to drop the values since
  ///     the last array.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains the values of an interval, without a bound, and one timer.
  public func collect(
    every interval: Duration,
    on scheduler: some Scheduler,
    skipEmpty: Bool,
    discardWhenCompleted: Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    precondition(
      interval > .zero,
      "collect(every: \(interval)): the interval must be positive (OperatorIndex, collect(every:))"
    )
    return timed(
      CollectFixedState<Value, Failure>(
        interval,
        skipsEmpty: skipEmpty,
        discardsLast: discardWhenCompleted
      ),
      on: scheduler,
      Site("collect(every:)", file, line, column, .folds),
      argument: .duration(interval)
    )
  }
}
