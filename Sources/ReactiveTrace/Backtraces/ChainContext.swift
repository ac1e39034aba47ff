public import CReactiveTraceShims

/// Carries the asynchronous backtrace of scheduled work into the Swift tasks that are made in it.
///
/// A chain is an asynchronous backtrace in the trace; here it is given by its number.
enum TaskChain {
  @TaskLocal private static var chain: UInt32 = 0

  /// The chain that the current task has inherited; 0 if there is none.
  static var inherited: UInt32 { rxt_is_in_task() ? chain : 0 }

  /// Runs `body`, in which tasks may be made that belong to `chain`.
  ///
  /// Usually the recorder itself observes where a task is made. The task has to inherit the chain
  /// only if the recorder cannot observe that.
  @inline(__always)
  static func around(_ chain: UInt32, _ body: () -> Void) {
    if rxt_hops_see_tasks() { body() } else { with(chain, body) }
  }

  /// Runs `body` so that the tasks made in it inherit `chain`.
  static func with<Result, Failure: Error>(
    _ chain: UInt32,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `withValue` does not preserve the type of a thrown error, so the error is returned as a
    // result.
    let result: Swift.Result<Result, Failure> = $chain.withValue(chain) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// The origin of work that runs later, or of an event that is delivered later: the asynchronous
/// backtrace of the code that requested or sent it.
public struct TraceOrigin: Sendable {
  /// Row in the table of chains; 0 if it is unknown.
  public var chain: UInt32 = 0

  /// An unknown origin.
  public init() {}
}

extension Tracer {
  /// Captures the asynchronous backtrace of the caller, for an event that is delivered later by
  /// work scheduled elsewhere, such as an event that is added to a queue.
  ///
  /// - Parameter scheduler: The scheduler whose work will deliver the event; 0 if it is unknown.
  /// - Returns: What to pass to ``run(from:_:)``.
  @inline(never)
  public static func origin(scheduler: UInt32 = 0) -> TraceOrigin {
    guard isOn else { return TraceOrigin() }
    return origin(from: rxt_frame_address(), scheduler: scheduler)
  }

  static func origin(from frame: UInt, scheduler: UInt32) -> TraceOrigin {
    var origin = TraceOrigin()
    guard let (recorder, thread) = Recorder.enter() else { return origin }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0, recorder.pointee.capturesHops else { return origin }
    origin.chain = recorder.pointee.chain(thread, from: frame, scheduler: scheduler)
    return origin
  }

  /// Runs `body` with the asynchronous backtrace of an origin.
  public static func run(from origin: TraceOrigin, _ body: () -> Void) {
    guard origin.chain != 0 else { return body() }
    let outer = rxt_chain_begin(rxt_thread_state(), origin.chain)
    TaskChain.around(origin.chain, body)
    rxt_chain_end(rxt_thread_state(), outer)
  }

  /// Runs `body`, in which the library passes work to a queue, a thread or a task.
  ///
  /// The library records that hop itself, so it is not recorded as a request of the program.
  @inlinable @inline(__always)
  public static func apart<Result>(_ body: () -> Result) -> Result {
    guard rxt_load_relaxed_u32(rxt_recording_flag()) == 1 else { return body() }
    rxt_thread_state().pointee.hops_pass &+= 1
    defer { rxt_thread_state().pointee.hops_pass &-= 1 }
    return body()
  }

  /// Runs `body`, in which the library makes the one task that runs the work of `hop`.
  public static func makingTask(of hop: TraceHop, _ body: () -> Void) {
    guard hop.chain != 0 else { return body() }
    rxt_thread_state().pointee.new_task_chain = hop.chain
    apart { TaskChain.around(hop.chain, body) }
    rxt_thread_state().pointee.new_task_chain = 0
  }

  /// Runs scheduled work between ``hopBegan(_:)`` and ``hopEnded(_:_:)``.
  ///
  /// The Swift tasks made in it inherit its asynchronous backtrace.
  public static func run(_ hop: TraceHop, _ body: () -> Void) {
    let outer = hopBegan(hop)
    if hop.chain == 0 { body() } else { TaskChain.around(hop.chain, body) }
    hopEnded(hop, outer)
  }
}

extension Recorder {
  /// The chain of the work that runs on this thread: scheduled work, or the work in which the task
  /// was made.
  func chainNow(_ thread: ThreadState) -> UInt32 {
    let chain = rxt_chain_now(thread)
    return chain != 0 || !capturesHops ? chain : TaskChain.inherited
  }
}
