import CReactiveTraceShims
import TraceFormat
import Synchronization

/// The subscription of an iterator of ``SignalValues``, which ends when the iterator is released.
final class ValuesHandle<Value: Sendable, Failure: Error>: Sendable {
  private let queue: ValuesQueue<Value, Failure>
  private let bridge = Bridge()

  init(_ signal: Signal<Value, Failure>, _ site: Site, _ queue: ValuesQueue<Value, Failure>) {
    self.queue = queue
    let completion = CompletionOnce { [queue] in queue.end(.sourceGone) }
    let start = Start()
    signal.connect(bridge, site, completion, ended: { [queue] in queue.end($0) }) {
      [queue, bridge] value in
      if start.isCancelledHere { return bridge.dispose() }
      let held = queue.receive(value)
      if held > 0 { bridge.held.changed(to: held) }
    }
    start.isOver()
  }

  deinit { bridge.dispose(.released) }

  /// Resumes a waiting task with the next value, as soon as there is one.
  func resume(_ waiting: ValuesQueue<Value, Failure>.Waiting) {
    if let held = queue.resume(waiting) { bridge.held.changed(to: held) }
  }

  /// Ends the subscription, drops the buffered values, and resumes a task that waits.
  func end() {
    queue.abandon()
    bridge.dispose()
  }
}

/// The start of a subscription, during which a cold signal may send any number of values
/// synchronously.
///
/// During the start, the task does not wait for a value yet, so no cancellation handler runs.
/// Instead, the subscription checks at each value whether the task has been cancelled.
private final class Start: Sendable {
  private let thread = Atomic<UInt>(UInt(bitPattern: rxt_thread_state()))

  /// Whether the start is still under way on this thread, in a task that has been cancelled.
  var isCancelledHere: Bool {
    let word = thread.load(ordering: .relaxed)
    return word != 0 && word == UInt(bitPattern: rxt_thread_state()) && Task.isCancelled
  }

  func isOver() { thread.store(0, ordering: .relaxed) }
}
