import Dispatch
import TraceFormat

extension Signal where Failure == Never {
  /// The values as a list: requesting one waits for it, and blocks the requesting thread.
  ///
  /// ```
  /// signal           -1-2-|
  /// lazyList(on:)    1 2
  /// ```
  ///
  /// Subscribes when the first value is requested, and keeps the values that have not been
  /// requested yet. The subscription ends when nothing holds the list any more. If the signal needs
  /// the waiting thread in order to send, or never sends another event, that thread waits for ever;
  /// in a Swift task use ``values(buffering:file:line:column:)``, which blocks no thread. To use a
  /// signal that can fail, apply ``materializeResults(file:line:column:)`` first.
  ///
  /// - Parameters:
  ///   - scheduler: Where the signal is subscribed to; it must not need the waiting thread.
  /// - Returns: A list of the values of one subscription, which is shared by all copies of the list
  ///   and all lists derived from it.
  public func lazyList(
    on scheduler: some Scheduler = QueueScheduler.background,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> LazyList<Value> {
    let site = Site("lazyList(on:)", file, line, column, .root)
    let mailbox = ListMailbox<Value>()
    let bridge = Bridge()
    let start: @Sendable () -> Void = { [self] in
      let completion = CompletionOnce { mailbox.close() }
      let work = ScheduledWork(on: scheduler, for: nil) {
        self.connect(bridge, site, completion, ended: { _ in mailbox.close() }) { mailbox.put($0) }
      }
      scheduler.run(work)
    }
    // The rest of the list that has not been evaluated retains the owner.
    let owner = ListOwner(mailbox, bridge, start)
    return LazyList(.taking { owner.next() })
  }
}

/// Begins the subscription when the first value is requested, and ends it when the list has been
/// released.
private final class ListOwner<Value: Sendable>: Sendable {
  private let mailbox: ListMailbox<Value>
  private let bridge: Bridge
  private let start: Locked<(@Sendable () -> Void)?>

  init(_ mailbox: ListMailbox<Value>, _ bridge: Bridge, _ start: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    self.bridge = bridge
    self.start = Locked(start)
  }

  deinit { bridge.dispose(.released) }

  func next() -> Value? {
    let start = start.withLock { start in
      defer { start = nil }
      return start
    }
    start?()
    return mailbox.take()
  }
}

/// A queue of values, which one thread at a time may wait for.
private final class ListMailbox<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var values = Fifo<Value>()
    var isClosed = false
    var waiting: DispatchSemaphore?

    mutating func takeWaiting() -> DispatchSemaphore? {
      defer { waiting = nil }
      return waiting
    }
  }

  private enum Taken: Sendable {
    case value(Value?)
    case later(DispatchSemaphore)
  }

  private let state = Locked(State())

  func put(_ value: Value) {
    let waiting = state.withLock { state in
      state.values.push(value)
      return state.takeWaiting()
    }
    waiting?.signal()
  }

  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      return state.takeWaiting()
    }
    waiting?.signal()
  }

  /// Waits for the next value and returns it; nil at the end.
  ///
  /// Only one thread at a time may call it.
  func take() -> Value? {
    while true {
      let taken: Taken = state.withLock { state in
        if let value = state.values.pop() { return .value(value) }
        if state.isClosed { return .value(nil) }
        let semaphore = DispatchSemaphore(value: 0)
        state.waiting = semaphore
        return .later(semaphore)
      }
      switch taken {
      case .value(let value): return value
      case .later(let semaphore): semaphore.wait()
      }
    }
  }
}
