import CReactiveTraceShims

/// The scheduler whose work runs on this thread.
enum CurrentScheduler {
  /// Whether there is one (contract rule 8): the main thread, a scheduler's work and a Swift task have
  /// one; a plain thread or dispatch queue has not.
  static var exists: Bool {
    let thread = rxt_thread_state()
    if thread.pointee.current_scheduler != nil { return true }
    if isMain { return true }
    return withUnsafeCurrentTask { $0 != nil }
  }

  /// Its identity; nil where there is none, on the main thread outside scheduled work, and in a task.
  static var identity: SchedulerIdentity? {
    guard let pointer = rxt_thread_state().pointee.current_scheduler else { return nil }
    // Unretained: `run(as:_:)` holds it for as long as it stands there.
    return Unmanaged<SchedulerIdentity>.fromOpaque(pointer).takeUnretainedValue()
  }

  static var isMain: Bool {
    let thread = rxt_thread_state()
    if thread.pointee.is_main == 0 { thread.pointee.is_main = rxt_is_main_thread() ? 1 : 2 }
    return thread.pointee.is_main == 1
  }

  /// Runs `body` as work of a scheduler.
  static func run(as identity: SchedulerIdentity, _ body: () -> Void) {
    let outer = rxt_thread_state().pointee.current_scheduler
    withExtendedLifetime(identity) {
      rxt_thread_state().pointee.current_scheduler = Unmanaged.passUnretained(identity).toOpaque()
      body()
      rxt_thread_state().pointee.current_scheduler = outer
    }
  }
}
