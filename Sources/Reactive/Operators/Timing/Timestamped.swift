public import TraceFormat

extension Signal {
  /// Adds to each value the time at which it arrived.
  ///
  /// ```
  /// source        -1-2-|        a = 1 at 1, b = 2 at 3
  /// timestamped   -a-b-|
  /// ```
  ///
  /// Each scheduler has its own origin of time: only differences between times of the same
  /// scheduler are meaningful.
  ///
  /// - Parameters:
  ///   - scheduler: Provides the time; nothing is scheduled on it.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func timestamped(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Timestamped<Value>, Failure> {
    Signal<Timestamped<Value>, Failure>(
      Site("timestamped", file, line, column, .passes),
      .one(self),
      argument: .scheduler(scheduler.identity)
    ) { [self] down in
      attach(down.with { [next = down.next] in next(Timestamped($0, at: scheduler.now)) })
    }
  }

  /// Sends, instead of each value, the time since the previous value.
  ///
  /// ```
  /// source            -1--2-|
  /// measureInterval   -1--3-|
  /// ```
  ///
  /// The first value sent is the time since the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: Provides the time; nothing is scheduled on it.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func measureInterval(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Duration, Failure> {
    Signal<Duration, Failure>(
      Site("measureInterval", file, line, column, .passes),
      .one(self),
      argument: .scheduler(scheduler.identity)
    ) { [self] down in
      let last = StageState(scheduler.now)
      attach(
        down.with { [next = down.next] _ in
          let now = scheduler.now
          let passed = now - last.value
          last.value = now
          next(passed)
        }
      )
    }
  }
}

/// A value and the time at which it arrived.
public struct Timestamped<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// When the value arrived, as measured by a scheduler.
  public let time: Duration

  /// Creates a value with a time.
  @inlinable
  public init(_ value: Value, at time: Duration) {
    self.value = value
    self.time = time
  }
}

extension Timestamped: Equatable where Value: Equatable {}
extension Timestamped: Hashable where Value: Hashable {}

extension Timestamped: CustomStringConvertible {
  /// For example `1 at 0.5 seconds`.
  public var description: String { "\(value) at \(time)" }
}
