import CReactiveTraceShims

extension AsyncBacktrace {
  /// The asynchronous backtrace of the calling code.
  ///
  /// In the handler of a failure, the backtrace leads back to the code where the failure began,
  /// across every hop (the passage of work to another queue, thread or task): a failure is
  /// delivered on the stack of the code that sends it, and an event that is delivered later,
  /// because it waits for a scheduler or for another delivery, keeps its origin. The backtrace also
  /// follows hops of tasks, dispatch queues, threads and timers of Foundation: see the table in
  /// <doc:ReactiveTrace>. In a task, the functions that await the running function come after it.
  public static var current: AsyncBacktrace {
    @inline(never) get { take(from: rxt_frame_address()) }
  }

  /// Runs `body`, and makes the backtraces of the Swift tasks that it creates lead back to this
  /// call.
  ///
  /// ```swift
  /// AsyncBacktrace.link { Task { await store.save(order) } }
  /// ```
  ///
  /// This is needed only if the recorder cannot observe tasks: with `RXTRACE=hops=own`, and in a
  /// program that is linked with `-static-stdlib` but without the options of `Scripts/static-hops`.
  /// In these cases, if a task is made without this call, its backtrace lacks the stack that made
  /// the task, and continues with the work in which the task was made; the backtrace of a detached
  /// task contains only the task itself.
  ///
  /// - Returns: The result of `body`.
  @inline(never)
  public static func link<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let origin =
      Tracer.isOn && !seesTasks
      ? Tracer.origin(from: rxt_frame_address(), scheduler: 0) : TraceOrigin()
    guard origin.chain != 0 else { return try body() }
    return try TaskChain.with(origin.chain, body)
  }

  /// Wraps work that is passed to code whose hops are not recorded, so that the backtrace of the
  /// work leads back to this call.
  ///
  /// ```swift
  /// queue.async(execute: AsyncBacktrace.linked { update() })
  /// ```
  ///
  /// This is needed only if the program hands work to other threads by its own means, and for hops
  /// that the recorder cannot observe (``unseen``). The recorder itself observes the hops of this
  /// library's schedulers, tasks, dispatch queues, threads and timers of Foundation.
  ///
  /// - Returns: `work` itself if no backtraces are recorded.
  @inline(never)
  public static func linked(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let origin =
      Tracer.isOn ? Tracer.origin(from: rxt_frame_address(), scheduler: 0) : TraceOrigin()
    guard origin.chain != 0 else { return work }
    return { @Sendable () -> Void in Tracer.run(from: origin, work) }
  }

  private static var seesTasks: Bool {
    rxt_hops_see_tasks() && Recorder.current?.pointee.details.pointee.options.hops == .all
  }

  private static func take(from frame: UInt) -> AsyncBacktrace {
    guard Tracer.isOn, let recorder = Recorder.current else {
      return AsyncBacktrace(emptyBecause: nothingRecorded)
    }
    guard recorder.pointee.capturesHops else { return AsyncBacktrace(emptyBecause: stacksOff) }
    guard let (_, thread) = Recorder.enter() else {
      return AsyncBacktrace(emptyBecause: insideRecorder)
    }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return AsyncBacktrace(emptyBecause: nothingRecorded) }
    if thread.pointee.stack_high == 0 { thread.pointee.stack_high = rxt_stack_end() }
    let here = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Layout.StackHeap.limit) {
      buffer in
      guard let start = buffer.baseAddress else { return [UInt64]() }
      let walk = FrameWalk.capture(from: frame, below: thread.pointee.stack_high, into: start)
      return Array(buffer[..<walk.count])
    }
    let (older, isCut) = recorder.pointee.stacks(of: recorder.pointee.chainNow(thread))
    let unseen =
      recorder.pointee.details.pointee.options.hops == .all
      ? rxt_hops_unseen().map { String(cString: $0) } : nil
    return AsyncBacktrace([Stack(addresses: here)] + older, isCut: isCut, unseen: unseen)
  }

  private static let nothingRecorded =
    "no asynchronous backtrace, because nothing is recorded: start the program with RXTRACE=1 in its "
    + "environment, or call Trace.start()"
  private static let stacksOff =
    "no asynchronous backtrace, because the trace is recorded with stacks=off: leave that out, or say "
    + "stacks=hops, in RXTRACE or in the options of Trace.start"
  private static let insideRecorder =
    "no asynchronous backtrace, because this thread was interrupted inside the recorder: ask outside of "
    + "signal handlers"
}

extension Recorder {
  /// The stacks of a chain (an asynchronous backtrace in the trace), newest first, and whether
  /// older ones were dropped.
  func stacks(of chain: UInt32) -> (stacks: [AsyncBacktrace.Stack], isCut: Bool) {
    var stacks: [AsyncBacktrace.Stack] = []
    var number = chain
    var isCut = false
    while number != 0, let row = chains.row(number), stacks.count < Layout.Chain.depthLimit {
      stacks.append(
        AsyncBacktrace.Stack(
          addresses: stackTable.addresses(row.link.stack),
          scheduler: row.link.kind.words ?? schedulers.name(row.link.scheduler),
          isRepeated: row.link.isRepeated
        )
      )
      isCut = row.isCut
      number = row.link.parent
    }
    return (stacks, isCut)
  }
}
