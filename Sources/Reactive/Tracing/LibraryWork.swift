import Dispatch
public import ReactiveTrace

/// Runs `body`, in which the library passes work to a queue, a thread or a task.
///
/// The trace does not record this work as a hop of the program, because it is internal to the
/// library, or because other code records the hop.
@inlinable @inline(__always)
func libraryWork<Result>(_ body: () -> Result) -> Result { Tracer.apart(body) }

/// Runs `body` on a worker thread, whose stack is empty.
func onEmptyStack(_ body: @escaping @Sendable () -> Void) {
  libraryWork { DispatchQueue.global().async(execute: body) }
}
