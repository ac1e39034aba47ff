import CReactiveTraceShims
import Glibc
import TracePlatform

/// Switches recording on and off, and marks instants of it.
///
/// A program needs none of this: with `RXTRACE=1` in the environment it is recorded from its first
/// signal on. One process has one trace file; every function may be called from any thread.
public enum Trace {
  /// Begins to record, or continues after ``stop()`` in the same file.
  ///
  /// Does nothing if recording is already on with the same options.
  ///
  /// - Throws: ``/TraceFormat/TraceError`` if the file cannot be made, if this process has a trace
  ///   with other options already (also by `RXTRACE`), or if it was forked from a process that has
  ///   one.
  public static func start(_ options: TraceOptions = TraceOptions()) throws(TraceError) {
    Recorder.installForkHandlers()
    decideFromEnvironment()
    try session.withLock { () throws(TraceError) in try startLocked(options) }
  }

  /// Stops recording.
  ///
  /// The file is final until recording continues.
  public static func stop() {
    // A signal handler that ends the program may have interrupted the recorder. Then this thread
    // may hold one of the locks, and the trace is left as after a crash.
    guard rxt_thread_state().pointee.busy == 0 else { return }
    session.withLock {
      guard let recorder = Recorder.current, !ControlWord.isStopped(recorder.pointee.control)
      else { return }
      Recorder.busily {
        recorder.pointee.setStopped(true)
        recorder.pointee.tables.withLock { recorder.pointee.images.refresh() }
        recorder.pointee.writeState(.stopped)
      }
    }
  }

  /// Sets a mark: an instant with the number of live subscriptions of every site, and with the
  /// memory use of the process; an inspector compares marks to find what grew between them.
  ///
  /// Set a mark at the end of each round of an activity after which nothing should be left. At most
  /// 1024 bytes of the name are recorded.
  ///
  /// Must not be called from code that runs inside `malloc`, nor from a signal handler, because
  /// `malloc` is asked for the amount of heap in use.
  ///
  /// - Complexity: O(*n*) in the number of sites; a few microseconds. For the heap, O(*m*) in the
  ///   number of its free blocks, 20 to 60 nanoseconds each. If that took more than 50
  ///   microseconds, marks set within a hundred times that duration contain no information about
  ///   the heap.
  public static func mark(_ name: String) {
    guard Tracer.isOn, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return }
    recorder.pointee.mark(thread, name)
  }

  /// Makes a crash of this process print on standard error which function crashed and which code
  /// had requested the work that crashed, across every hop of the asynchronous backtrace.
  ///
  /// ```
  /// rxtrace: shop crashed by SIGILL in thread 4711 (orders):
  ///   closure #1 in Shop.reserve(_:)
  ///   … asynchronously invoked (DispatchQueue.async) from:
  ///   Shop.open()
  /// rxtrace: lines, and what was under way: rxtop explain '/tmp/shop-4711.rxtrace' crash
  /// ```
  ///
  /// `RXTRACE=crash` does the same without a change to the program, from its first signal, task or
  /// dispatched work on. The crash is also recorded in the trace, as by
  /// ``TraceOptions/recordsCrashes``; then the previous handler runs, such as that of Swift's own
  /// backtraces, or the system's. If this function is called before recording begins, it takes
  /// effect when recording begins; nothing is printed if nothing is recorded.
  ///
  /// Functions of a library that is loaded later are shown by the library's name and an offset.
  ///
  /// - Complexity: Reads and demangles the names of all of the program's functions, because the
  ///   handler cannot allocate memory: this takes about 50 milliseconds for ten thousand of them,
  ///   and the memory for the names. Running the program costs no more afterwards.
  public static func reportCrashes() {
    startFromEnvironment()
    session.withLock {
      reportsCrashes = true
      if let recorder = Recorder.current { Recorder.reportCrashes(recorder) }
    }
  }

  /// Guarded by the session lock.
  private(set) nonisolated(unsafe) static var reportsCrashes = false

  /// The path of this process's trace file; nil if it has none.
  public static var path: String? { Recorder.current?.pointee.details.pointee.path }

  /// How much is being recorded.
  ///
  /// This is the overall level: the levels of ``TraceOptions/places`` stay in force, unless the
  /// overall level becomes ``/TraceFormat/TraceLevel/off``. Setting it only affects a recording
  /// that is on, and is limited by the options' `maximumLevel`. Subscriptions made at level
  /// ``/TraceFormat/TraceLevel/off`` are never recorded.
  public static var level: TraceLevel {
    get {
      guard let recorder = Recorder.current else { return .off }
      return TraceLevel(rawValue: ControlWord.level(recorder.pointee.control)) ?? .off
    }
    set {
      guard let (recorder, thread) = Recorder.enter() else { return }
      defer { Recorder.leave(thread) }
      guard !recorder.pointee.isStopped(thread) else { return }
      recorder.pointee.tick(thread)
      let new = min(newValue, recorder.pointee.details.pointee.options.maximumLevel)
      recorder.pointee.setLevel(new)
      // Records the change, unless another thread already has.
      recorder.pointee.resynchronize(thread)
    }
  }

  // MARK: Starting

  /// Begins to record if `RXTRACE` requests it.
  ///
  /// Called automatically when a program makes its first signal; later calls have no effect. An
  /// error in the variable, or a file that cannot be made, is reported in one line on standard
  /// error.
  public static func startFromEnvironment() {
    guard rxt_load_acquire_u32(rxt_recording_flag()) == undecided else { return }
    guard OutputDirectory.environment("RXTRACE") != nil else {
      _ = rxt_compare_exchange_u32(rxt_recording_flag(), undecided, LogPattern.idleFlag)
      return
    }
    Recorder.installForkHandlers()
    decideFromEnvironment()
  }

  /// Makes `RXTRACE` have no effect on this program, which inspects the traces of others.
  package static func ignoreEnvironment() {
    _ = rxt_compare_exchange_u32(rxt_recording_flag(), undecided, LogPattern.idleFlag)
  }

  /// The value of the flag before the environment has been read.
  private static var undecided: UInt32 { 2 }

  /// Held while recording begins, stops or continues.
  static let session = Lock()

  private static func decideFromEnvironment() {
    session.withLock {
      guard rxt_load_acquire_u32(rxt_recording_flag()) == undecided else { return }
      if let text = OutputDirectory.environment("RXTRACE") {
        do throws(TraceError) {
          if let options = try TraceOptions.parse(text) { try startLocked(options) }
        } catch {
          let place = error.code == .invalidOptions ? "RXTRACE: " : ""
          StandardError.write(
            line: "rxtrace: \(place)\(error); the program runs on without a trace"
          )
        }
      }
      // The exchange has no effect if a recorder has set the flag to 1.
      _ = rxt_compare_exchange_u32(rxt_recording_flag(), undecided, LogPattern.idleFlag)
    }
  }

  private static func startLocked(_ options: TraceOptions) throws(TraceError) {
    let options = options.consistent
    guard !Recorder.isForked else {
      throw TraceError(
        .alreadyStarted,
        "this process was forked from one that is traced, and cannot be traced itself; "
          + "start another program instead"
      )
    }
    guard let recorder = Recorder.current else { return try Recorder.start(options) }
    guard recorder.pointee.details.pointee.options == options else {
      throw TraceError(
        .alreadyStarted,
        "this process has a trace with other options already; "
          + "start with the same ones, or without RXTRACE in the environment",
        path: recorder.pointee.details.pointee.path
      )
    }
    guard !rxt_mapping_is_lost(recorder.pointee.base) else {
      throw TraceError(
        .system,
        "was truncated while it was recorded, or its disk has failed: this process cannot be "
          + "recorded any more; restart it",
        path: recorder.pointee.details.pointee.path
      )
    }
    guard ControlWord.isStopped(recorder.pointee.control) else { return }
    recorder.pointee.resume()
  }
}
