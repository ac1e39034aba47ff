import CReactiveTraceShims
import TracePlatform

// What the hooks of `rxt_hops.h` ask: where work that a program hands to tasks, queues and threads comes from.

/// The chain of work that is asked for by the function whose frame is `frame`; 0 where nothing is recorded.
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

/// The chain of a task that the function whose frame is `frame` lets go on, and that has the chain `own`; 0 where nobody of
/// the program does it.
@_cdecl("rxt_hop_resumed")
func hopResumed(_ frame: UInt, _ own: UInt32) -> UInt32 {
  foreignHop { recorder, thread in
    recorder.pointee.chainOfItsOwn(
      thread,
      from: frame,
      scheduler: 0,
      kind: .resumed,
      parent: own
    )
  }
}

/// A task has no chain, for there are too many at once: one that found no room in the table of the trace is counted alike.
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
