import CReactiveTraceShims
import TracePlatform

// The hooks of `rxt_hops.h` call these functions to capture the origin of work that a program
// passes to tasks, queues and threads.

/// The chain (asynchronous backtrace) of work that the caller of the function with the frame
/// `frame` requests; 0 if nothing is recorded.
@_cdecl("rxt_hop_captured")
func hopCaptured(_ frame: UInt, _ kind: UInt32) -> UInt32 {
  foreignHop { recorder, thread in
    recorder.pointee.chain(
      thread,
      from: frame,
      scheduler: 0,
      kind: HopKind(rawValue: kind) ?? .scheduler
    )
  }
}

/// The chain of a task that the caller of the function with the frame `frame` resumes; 0 if no
/// code of the program resumes it.
///
/// `own` is the chain in which the task was made, and becomes the parent.
@_cdecl("rxt_hop_resumed")
func hopResumed(_ frame: UInt, _ own: UInt32) -> UInt32 {
  foreignHop { recorder, thread in
    recorder.pointee.chainOfItsOwn(thread, from: frame, scheduler: 0, kind: .resumed, parent: own)
  }
}

/// Counts a task that gets no chain because there are too many tasks at once, in the same way as a
/// chain for which the trace's table has no room.
@_cdecl("rxt_hop_forgotten")
func hopForgotten() { Recorder.current?.pointee.chains.region.countLost() }

@inline(__always)
private func foreignHop(_ body: (UnsafePointer<Recorder>, ThreadState) -> UInt32) -> UInt32 {
  guard Tracer.isOn, let (recorder, thread) = Recorder.enter() else { return 0 }
  defer { Recorder.leave(thread) }
  guard thread.pointee.level != 0, recorder.pointee.capturesHops,
    recorder.pointee.details.pointee.options.hops == .all
  else { return 0 }
  return body(recorder, thread)
}
