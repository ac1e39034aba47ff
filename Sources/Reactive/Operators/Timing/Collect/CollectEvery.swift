import ReactiveTrace
import TraceFormat

extension Signal {
  /// Gathers the values of an interval into an array, which is never empty.
  ///
  /// ```
  /// source              -1-2-----3---4-|        A = [1, 2], B = [3, 4]
  /// collect (every 4)   -----A-------B-|
  /// ```
  ///
  /// The interval begins with the first value of each array, not at fixed times. Completion first
  /// forwards the gathered values; a failure overtakes and drops them (contract rule 4).
  ///
  /// - Parameters:
  ///   - interval: From the first value of an array to the moment it is forwarded.
  ///   - scheduler: Where the arrays are forwarded.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains the values of an interval, without a bound, and one timer.
  public func collect(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<[Value], Failure> {
    timed(
      CollectState<Value, Failure>(interval, count: nil),
      on: scheduler,
      Site("collect(every:)", file, line, column, .folds),
      argument: .duration(interval)
    )
  }

  /// Gathers the values of an interval into an array, or a given number of values, whichever comes
  /// first.
  ///
  /// ```
  /// source                          -1-2-3-4---------|    A = [1, 2, 3], B = [4]
  /// collect (every 6, or 3)         -----A-------B---|
  /// ```
  ///
  /// The interval begins with the first value of each array. A full array is forwarded together
  /// with its last value, at once. Completion first forwards the gathered values; a failure
  /// overtakes and drops them (contract rule 4).
  ///
  /// - Parameters:
  ///   - interval: From the first value of an array to the moment it is forwarded at the latest.
  ///   - count: How many values fill an array; at least 1.
  ///   - scheduler: Where arrays are forwarded that are not full.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains at most `count` values, and one timer.
  public func collect(
    every interval: Duration,
    orCount count: Int,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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

  /// Gathers the values of each interval into an array, at fixed times, with options for empty
  /// intervals and for the last one.
  ///
  /// ```
  /// source                                                  -1-2---------3-|
  /// collect (4, skipEmpty: false, discardWhenCompleted: false)  ----A---B---B---(C|)    A = [1, 2], B = [], C = [3]
  /// collect (4, skipEmpty: false, discardWhenCompleted: true)   ----A---B---B--|
  /// collect (4, skipEmpty: true, discardWhenCompleted: false)   ----A-----------(C|)
  /// collect (4, skipEmpty: true, discardWhenCompleted: true)    ----A----------|
  /// ```
  ///
  /// As in ReactiveSwift. Intervals begin with the subscription and follow each other, so that they
  /// do not drift; if one was missed, its values are in the next. Unless the last interval is
  /// discarded, completion waits for its end, even if it has no values. A failure overtakes and
  /// drops the gathered values (contract rule 4).
  ///
  /// - Parameters:
  ///   - interval: Must be positive.
  ///   - scheduler: Where the arrays are forwarded.
  ///   - skipEmpty: Whether nothing is sent for an interval without values; otherwise an empty
  ///     array is.
  ///   - discardWhenCompleted: Whether completion drops the values since the last array, and is
  ///     forwarded at once.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of arrays, which ends as this one does.
  /// - Complexity: Retains the values of an interval, without a bound, and one timer.
  public func collect(
    every interval: Duration,
    on scheduler: some Scheduler,
    skipEmpty: Bool,
    discardWhenCompleted: Bool,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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
