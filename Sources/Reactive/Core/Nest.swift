public import CReactiveTraceShims
import ReactiveTrace

/// Bounds how deep a program may subscribe and dispose from inside itself.
///
/// A handler of the end that subscribes again, or a disposable that holds another that holds a third, takes stack for
/// each step. When so much of it is taken that a worker thread's would not last for long, the next step is put off:
/// whichever of those that it is inside of returns first takes it, and so it runs in a loop, on the same thread, before the
/// outermost has returned.
@usableFromInline
enum Nest {
  /// What has been put off on one thread.
  private final class Queue {
    var waiting = Fifo<() -> Void>()
  }

  /// Whether the next step has to be put off.
  @inlinable static var isFull: Bool {
    @inline(__always) get { rxt_thread_state().pointee.nesting > 0 && rxt_releases_deep() }
  }

  @inlinable @inline(__always)
  static func enter() { rxt_thread_state().pointee.nesting &+= 1 }

  /// Runs what was put off inside.
  @inlinable @inline(__always)
  static func leave() {
    rxt_thread_state().pointee.nesting &-= 1
    if rxt_thread_state().pointee.put_off != nil { catchUp() }
  }

  /// Runs a step now, or puts it off.
  static func run(_ body: @escaping () -> Void) {
    if isFull { return putOff(body) }
    enter()
    body()
    leave()
  }

  /// Has somebody further up run a step, as work of the scheduler whose work runs now.
  @usableFromInline @inline(never)
  static func putOff(_ body: @escaping () -> Void) {
    let queue = queue ?? makeQueue()
    guard let identity = CurrentScheduler.identity else { return queue.waiting.push(body) }
    queue.waiting.push { CurrentScheduler.run(as: identity, body) }
  }

  @usableFromInline @inline(never)
  static func catchUp() {
    enter()
    // Asked anew each time: what runs may have done the rest.
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
    // Retained by the thread's state, and let go of by whoever empties it.
    return Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func makeQueue() -> Queue {
    let queue = Queue()
    rxt_thread_state().pointee.put_off = Unmanaged.passRetained(queue).toOpaque()
    return queue
  }
}

extension Disposable {
  /// Disposes of it from inside the disposal of another.
  func disposeInside() {
    if Nest.isFull { return Nest.putOff { self.dispose() } }
    Nest.enter()
    dispose()
    Nest.leave()
  }

  /// The same on behalf of an owner that traces know; none for one that they do not.
  func disposeInside(by owner: TraceID) {
    guard owner != .none, let traced = self as? TracedDisposable else { return disposeInside() }
    if Nest.isFull { return Nest.putOff { traced.dispose(by: owner) } }
    Nest.enter()
    traced.dispose(by: owner)
    Nest.leave()
  }
}
