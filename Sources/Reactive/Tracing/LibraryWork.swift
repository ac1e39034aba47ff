import Dispatch
public import ReactiveTrace

/// Runs `body`, in which the library passes something to a queue, a thread or a task that is not a
/// hop of the program, or is recorded as one already.
@inlinable @inline(__always)
func libraryWork<Result>(_ body: () -> Result) -> Result { Tracer.apart(body) }

/// Runs `body` on a worker thread, whose stack is empty.
func onEmptyStack(_ body: @escaping @Sendable () -> Void) {
  libraryWork { DispatchQueue.global().async(execute: body) }
}
