public import CReactiveTraceShims
public import Synchronization

/// The stage of `deliver(on:)`, that is, its part of a subscription: it keeps events until work on
/// the scheduler delivers them.
@usableFromInline
final class DeliverStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  @usableFromInline
  enum Posted: Sendable {
    case next(Value)
    case end(End<Failure>)
  }

  @usableFromInline typealias Waiting = Postponed<Posted>

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var events: ContiguousArray<Waiting> = []
    /// The events that a piece of work has taken but not delivered, from index `begin` on.
    ///
    /// The next piece of work delivers them before `events`.
    @usableFromInline var rest: ContiguousArray<Waiting> = []
    @usableFromInline var begin = 0
    @usableFromInline var isScheduled = false
    @usableFromInline var isOver = false

    @inlinable
    init() {}

    @inlinable var count: Int { rest.count - begin + events.count }

    /// The events to deliver next, and the index of the first.
    @inlinable
    mutating func take() -> (ContiguousArray<Waiting>, Int) {
      if rest.isEmpty { swap(&rest, &events) }
      defer {
        rest = []
        begin = 0
      }
      return (rest, begin)
    }
  }

  /// The largest number of events that one piece of work delivers, and the approximate time in
  /// nanoseconds after which it stops.
  @inlinable static var longestTurn: Int { 256 }
  @inlinable static var longestTime: UInt64 { 1_000_000 }

  // `@unchecked` because the superclass `Teardown` is; the properties of this class are constant,
  // atomic or locked.
  @usableFromInline let down: Sink<Value, Failure>
  @usableFromInline let work: SerialWork
  @usableFromInline let count: HeldCount
  @usableFromInline let state: HeapBox<Locked<State>>
  /// Whether work is scheduled; senders read it without the lock, so it may be out of date.
  @usableFromInline let isBusy = Atomic<Bool>(false)

  @inlinable
  init(_ down: Sink<Value, Failure>, _ scheduler: any Scheduler) {
    self.down = down
    work = SerialWork(on: scheduler, for: down.trace)
    count = HeldCount(of: down.trace)
    state = HeapBox(Locked(State()))
    super.init()
  }

  @inlinable
  func post(_ event: Posted) {
    // The sender of the first event of a batch schedules the work, so the event and the work have
    // the same backtrace; events that other senders add to the batch may have another backtrace,
    // and keep it.
    let waiting = Waiting(event, joining: work, if: isBusy.load(ordering: .relaxed))
    let (mustSchedule, held) = state.withLock { state -> (Bool, Int) in
      if state.isOver { return (false, 0) }
      state.events.append(waiting)
      if state.isScheduled { return (false, state.count) }
      state.isScheduled = true
      isBusy.store(true, ordering: .relaxed)
      return (true, state.events.count)
    }
    if held > 0 { count.changed(to: held) }
    if mustSchedule { work.send { self.deliver() } }
  }

  /// Delivers the waiting events, or the first part of them if there are many; returns true if any
  /// are left.
  @inlinable
  func deliver() -> Bool {
    let (batch, begin, waiting) = state.withLock { state in
      let (batch, begin) = state.take()
      return (batch, begin, state.count)
    }
    if !batch.isEmpty { count.changed(to: waiting) }
    var index = begin
    let last = min(batch.count, begin + Self.longestTurn)
    // The clock is not read for fewer than eight events.
    let end = last - begin < 8 ? 0 : rxt_coarse_nanoseconds() + Self.longestTime
    while index < last, down.scope.isActive {
      let waiting = batch[index]
      index += 1
      waiting.deliver { deliver($0) }
      if index & 7 == 0, end != 0, rxt_coarse_nanoseconds() >= end { break }
    }
    return finishTurn(batch, from: index)
  }

  /// Puts back the events that were not delivered; returns true if any event waits.
  @inlinable
  func finishTurn(_ batch: ContiguousArray<Waiting>, from index: Int) -> Bool {
    let (hasMore, held) = state.withLock { state in
      if state.isOver { return (false, 0) }
      if index < batch.count { (state.rest, state.begin) = (batch, index) }
      if state.count > 0 { return (true, index < batch.count ? state.count : 0) }
      state.isScheduled = false
      isBusy.store(false, ordering: .relaxed)
      return (false, 0)
    }
    if held > 0 { count.changed(to: held) }
    return hasMore
  }

  @inlinable @inline(__always)
  func deliver(_ event: Posted) {
    switch event {
    case .next(let value): down.next(value)
    case .end(let end): down.scope.end(end)
    }
  }

  @usableFromInline
  override func teardown(_ ending: Ending) {
    // Waiting events are released when this method returns, not under the lock.
    let last = state.withLock { state in
      defer {
        state.isOver = true
        (state.events, state.rest, state.begin) = ([], [], 0)
      }
      return (state.events, state.rest)
    }
    work.dispose()
    withExtendedLifetime(last) {}
  }
}
