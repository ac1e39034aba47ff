public import CReactiveTraceShims
import TraceFormat

/// Bounds how deeply a program may nest subscribing and disposing.
///
/// A handler that subscribes again when its subscription ends uses stack for each step, and so does
/// a chain of disposables, each of which disposes of the next. When the steps have used so much
/// stack that the stack of a worker thread would soon be exhausted, the next step is postponed: the
/// first enclosing step that returns runs it. So postponed steps run in a loop, on the same thread,
/// before the outermost step has returned.
@usableFromInline
enum NestingLimit {
  /// The postponed steps of one thread.
  private final class Queue {
    var waiting = Fifo<() -> Void>()
  }

  /// Whether the next step has to be postponed.
  @inlinable static var isReached: Bool {
    @inline(__always) get { rxt_thread_state().pointee.nesting > 0 && rxt_releases_deep() }
  }

  @inlinable @inline(__always)
  static func enter() { rxt_thread_state().pointee.nesting &+= 1 }

  /// Ends a step, and runs the steps that were postponed inside it.
  @inlinable @inline(__always)
  static func leave() {
    rxt_thread_state().pointee.nesting &-= 1
    if rxt_thread_state().pointee.put_off != nil { runPostponed() }
  }

  /// Runs a step now, or postpones it.
  static func run(_ body: @escaping () -> Void) {
    if isReached { return postpone(body) }
    enter()
    body()
    leave()
  }

  /// Postpones a step until an enclosing step returns.
  ///
  /// The step runs as work of the scheduler that is current now.
  @usableFromInline @inline(never)
  static func postpone(_ body: @escaping () -> Void) {
    let queue = queue ?? makeQueue()
    guard let identity = CurrentScheduler.identity else { return queue.waiting.push(body) }
    queue.waiting.push { CurrentScheduler.run(as: identity, body) }
  }

  @usableFromInline @inline(never)
  static func runPostponed() {
    enter()
    // Read `queue` each time: a step may have run the remaining steps and released the queue.
    while let queue {
      guard let next = queue.waiting.pop() else {
        rxt_thread_state().pointee.put_off = nil
        Unmanaged.passUnretained(queue).release()
        break
      }
      next()
    }
    rxt_thread_state().pointee.nesting &-= 1
  }

  private static var queue: Queue? {
    guard let pointer = rxt_thread_state().pointee.put_off else { return nil }
    // The state of the thread retains the queue; the code that empties the queue releases it.
    return Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func makeQueue() -> Queue {
    let queue = Queue()
    rxt_thread_state().pointee.put_off = Unmanaged.passRetained(queue).toOpaque()
    return queue
  }
}

extension Disposable {
  /// Disposes of this disposable inside the disposal of another.
  func disposeInside() {
    if NestingLimit.isReached { return NestingLimit.postpone { self.dispose() } }
    NestingLimit.enter()
    dispose()
    NestingLimit.leave()
  }

  /// Disposes of this disposable on behalf of an owner, which is `.none` if traces do not know it.
  func disposeInside(by owner: TraceID) {
    guard owner != .none, let traced = self as? TracedDisposable else { return disposeInside() }
    if NestingLimit.isReached { return NestingLimit.postpone { traced.dispose(by: owner) } }
    NestingLimit.enter()
    traced.dispose(by: owner)
    NestingLimit.leave()
  }
}
