import TraceFormat

/// What ``Signal/buffer(_:whenFull:on:file:line:column:)`` does with a value when its buffer is
/// full.
public enum BufferOverflow<Failure: Error>: Sendable {
  /// Drops the oldest waiting value to make room.
  case dropOldest
  /// Drops the new value; the waiting values are kept.
  case dropNewest
  /// Drops the waiting values, disposes of the source, and fails.
  case fail(Failure)
}

extension Signal {
  /// Delivers events on a scheduler and lets at most a given number of values wait for the
  /// scheduler.
  ///
  /// ```
  /// source                           -12345-|         handled every 3 frames
  /// buffer (2), whenFull: dropOldest -1--4--5--|
  /// buffer (2), whenFull: dropNewest -1--2--3--|
  /// ```
  ///
  /// Use it for a source that sends values faster than they are handled;
  /// ``deliver(on:file:line:column:)`` would queue them without a bound. The value that is being
  /// handled does not count towards the capacity. Completion comes after the waiting values. A
  /// failure drops the waiting values (event contract, rule 4), and is also delivered on the
  /// scheduler.
  ///
  /// - Parameters:
  ///   - capacity: How many values may wait; at least 1.
  ///   - overflow: What happens to a value when the buffer is full.
  ///   - scheduler: Where the events are delivered.
  /// - Returns: A signal that ends as this one does, or fails when the buffer overflows, if
  ///   `overflow` is ``BufferOverflow/fail(_:)``.
  /// - Complexity: Retains at most `capacity` values. O(1) per value.
  public func buffer(
    _ capacity: Int,
    whenFull overflow: BufferOverflow<Failure>,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      capacity >= 1,
      "buffer(\(capacity)): the capacity must be ≥ 1 (OperatorIndex, buffer)"
    )
    return Signal(
      Site("buffer", file, line, column, .queues),
      .one(self),
      argument: .integer(capacity)
    ) {
      [self] down in
      let stage = BoundedBufferStage(down, BufferState(capacity, overflow), on: scheduler)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      attach(
        Sink(upstream, down.trace, nil) { value in
          if !stage.receive(value) { upstream.dispose() }
        }
      )
    }
  }
}

/// One subscription to `buffer`: it keeps its state behind a lock, and after unlocking performs the
/// action that the state has returned.
///
/// Only scheduled work sends events downstream, and one piece of work runs at a time. So no gate is
/// needed to put these events in order.
///
/// This class is `@unchecked Sendable` because its superclass `Teardown` is; its own properties are
/// constant or locked.
private final class BoundedBufferStage<Value: Sendable, Failure: Error>: Teardown,
  @unchecked Sendable
{
  private let down: Sink<Value, Failure>
  private let state: HeldLocked<BufferState<Value, Failure>>
  private let work: SerialWork

  init(
    _ down: Sink<Value, Failure>,
    _ state: BufferState<Value, Failure>,
    on scheduler: any Scheduler
  ) {
    self.down = down
    self.state = HeldLocked(state, for: down.trace)
    work = SerialWork(on: scheduler, for: down.trace)
    super.init()
    down.scope.own(self)
  }

  /// Accepts a value; returns false if the overflow of the buffer has ended the subscription with a
  /// failure.
  func receive(_ value: Value) -> Bool {
    // The work that delivers this value may have been scheduled for an earlier event, so the value
    // carries its own backtrace.
    let value = Postponed(value, joining: work)
    return perform { $0.receive(value) }
  }

  func end(_ end: End<Failure>) {
    let end = Postponed(end, joining: work)
    perform { $0.end(end) }
  }

  @discardableResult
  private func perform(
    _ decide: (inout BufferState<Value, Failure>) -> BufferState<Value, Failure>.Action
  ) -> Bool {
    let action = state.change(decide)
    if action.mustSchedule { work.send { self.deliver() } }
    return !action.hasOverflowed  // dropped values are released here, outside the lock
  }

  /// Delivers the events that are waiting when this method is called; returns true if more events
  /// have arrived in the meantime.
  private func deliver() -> Bool {
    var left = state.change { $0.count }
    while left > 0, down.scope.isActive {
      left -= 1
      state.change { $0.take() }?.deliver { event in
        switch event {
        case .next(let value): down.next(value)
        case .end(let end): down.scope.end(end)
        }
      }
    }
    return state.change { $0.hasMore() }
  }

  override func teardown(_ ending: Ending) {
    let last = state.takeLast { $0.clear() }
    work.dispose()
    withExtendedLifetime(last) {}
  }
}
