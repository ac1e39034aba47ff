import TraceFormat

extension Signal {
  /// Combines each value with the latest result into a signal, and forwards the values of all these
  /// signals as results.
  ///
  /// ```
  /// source                              -1---1---1-|
  /// mergeScan(0) { .just($0 + $1) }     -1---2---3-|
  /// ```
  ///
  /// The next value is combined with the result that was forwarded last, even if several signals
  /// run at the same time. The initial result is not sent. The first failure ends the result and
  /// all inner signals.
  ///
  /// - Parameters:
  ///   - initial: The result that values are combined with until the first result has been
  ///     forwarded.
  ///   - combine: Runs once per value and subscription.
  /// - Returns: A signal that completes when the source and all inner signals have completed.
  /// - Complexity: Retains one result, and every inner signal that has not ended.
  public func mergeScan<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) -> Signal<Result, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(
      Site("mergeScan", file, line, column, [.merging, .flattens]),
      .one(self)
    ) {
      [self] down in
      let latest = LatestResult(initial)
      let merging = Merging(latest.noting(down))
      attach(
        Sink(merging.part(), down.trace, merging.outlet) {
          merging.subscribe(to: combine(latest.value, $0))
        }
      )
    }
  }

  /// Combines each value with the latest result into a signal, and forwards the values of the
  /// latest of these signals as results; each new signal ends the previous one.
  ///
  /// ```
  /// source                                 -1-----1-----|
  /// switchScan(0) { twice($0 + $1) }       --1-1---2-2-…   twice is -n-n-n-|
  /// ```
  ///
  /// No value of a signal is forwarded, or becomes the latest result, after the next signal has
  /// begun. The initial result is not sent.
  ///
  /// - Parameters:
  ///   - initial: The result that values are combined with until the first result has been
  ///     forwarded.
  ///   - combine: Runs once per value and subscription.
  /// - Returns: A signal that completes when the source and the latest inner signal have completed.
  /// - Complexity: Retains one result and one inner signal.
  public func switchScan<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) -> Signal<Result, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(
      Site("switchScan", file, line, column, [.merging, .flattens]),
      .one(self)
    ) {
      [self] down in
      let latest = LatestResult(initial)
      let merging = Merging(latest.noting(down))
      let current = StageState<Scope<Failure>?>(nil)
      attach(
        Sink(merging.part(), down.trace, merging.outlet) { value in
          let inner = combine(latest.value, value)
          merging.join()
          if let old = current.value {
            old.abandon()
            old.finish(.completed, upstream: .cancelled)
          }
          let part = merging.part()
          current.value = part
          merging.outlet.whenOpen { merging.attach(inner, part) }
        }
      )
    }
  }
}

/// The latest result, which is written when a result is forwarded, and read when the source sends.
///
/// Both may happen at the same time, on different threads.
private final class LatestResult<Value: Sendable>: Sendable {
  private let held: Locked<Value>

  init(_ initial: Value) { held = Locked(initial) }

  var value: Value { held.withLock { $0 } }

  /// Returns a sink that stores each value before it forwards it.
  func noting<Failure>(_ down: Sink<Value, Failure>) -> Sink<Value, Failure> {
    down.with { [next = down.next] value in
      // The old value is released after unlocking, because its release may run code of the program.
      let old = self.held.withLock { held in
        defer { held = value }
        return held
      }
      withExtendedLifetime(old) {}
      next(value)
    }
  }
}
