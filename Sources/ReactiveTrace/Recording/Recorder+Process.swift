import CReactiveTraceShims
import Glibc
import Synchronization
import TracePlatform

/// The start of a recorder, and what happens to it when the process forks or ends.
extension Recorder {
  /// Makes the trace file and begins to record.
  ///
  /// Requires the session lock.
  static func start(_ options: TraceOptions) throws(TraceError) {
    let recorder = try PrivateMemory.keepingIfDone { () throws(TraceError) in try make(options) }
    rxt_set_recorder(recorder)
    recorder.pointee.reconsiderLevel(at: recorder.pointee.clock.now)
    if recorder.pointee.capturesHops, options.hops == .all { rxt_hops_install() }
    atexit { Recorder.end() }
    if options.snapshotsOnSignal { SnapshotSignal.install() }
    if options.recordsCrashes { recorder.pointee.noteCrashes() }
    if options.reportsCrashes || Trace.reportsCrashes { reportCrashes(UnsafePointer(recorder)) }
    // This handler is installed last, so that it is called first: a lost page that it replaces is
    // not a crash.
    rxt_mapping_guard(recorder.pointee.base, recorder.pointee.byteCount) {
      Recorder.lostPage(isFirst: $0)
    }
  }

  /// Makes the trace file and its recorder; if that fails, nothing of them remains.
  private static func make(
    _ options: TraceOptions
  ) throws(TraceError) -> UnsafeMutablePointer<Recorder> {
    let process = ProcessIdentity.current()
    let file = try MappedFile.create(options, process)
    let recorder = UnsafeMutablePointer<Recorder>.allocate(capacity: 1)
    do throws(TraceError) {
      recorder.initialize(to: try Recorder(file: file, options: options, process: process))
    } catch {
      recorder.deallocate()
      file.discard()
      throw TraceError(error.code, error.message, path: file.path)
    }
    return recorder
  }

  /// Whether there is a recorder, and it is stopped.
  static var isStopped: Bool {
    guard let recorder = current else { return false }
    return ControlWord.isStopped(recorder.pointee.control)
  }

  /// Stops recording, because the disk has no room for what is to be written next, or the file has
  /// been cut; returns false.
  ///
  /// Reports this once, in the trace and on standard error. May be called with any of the locks
  /// held. If there is no recorder yet, nothing is reported here, because the code that makes the
  /// recorder throws an error.
  static func ranOut() -> Bool {
    // After the end of recording, the recorder itself has cut off unused space, so a failure means
    // nothing.
    guard let recorder = current, !ControlWord.isStopped(recorder.pointee.control) else {
      return false
    }
    if recorder.pointee.isCut {
      lostPage(isFirst: rxt_mapping_note_loss(recorder.pointee.base))
    } else {
      recorder.pointee.stopForGood(ENOSPC, recorder.pointee.details.pointee.noRoom)
    }
    return false
  }

  /// Whether the file is shorter than when it was made.
  private var isCut: Bool {
    var status = stat()
    return stat(details.pointee.path, &status) == 0 && status.st_size < byteCount
      && FileIdentity(status) == details.pointee.identity
  }

  /// Stops recording, because the file has lost a page that was written to before: it was cut, or
  /// its disk has failed.
  ///
  /// Runs in a signal handler, on a thread that may hold any of the locks.
  private static func lostPage(isFirst: Bool) {
    guard let recorder = current else { return }
    // This is repeated for each page, because the page of the header may be the one that was
    // replaced: it contains the control word, by which all threads know that recording is stopped.
    recorder.pointee.setStopped(true)
    // Appending to the tail would restore the former length of the file, filled with zeros.
    recorder.pointee.tail.abandon()
    if isFirst { recorder.pointee.stopForGood(EIO, recorder.pointee.details.pointee.lostPage) }
  }

  private func stopForGood(_ error: Int32, _ line: PreparedLine) {
    setStopped(true)
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    Layout.FileHeader.stopError.setRelaxed(UInt32(error), at: base)
    Layout.FileHeader.stopTicks.setRelaxed(clock.now, at: base)
    Layout.FileHeader.state.setRelease(FileState.stopped.rawValue, at: base)
    line.write()
  }

  /// Records again, after a stop.
  ///
  /// Requires the session lock.
  func resume() {
    // The control word that this thread has seen says "stopped" until it leaves the recorder, so
    // applied ends only change slots and counters.
    let thread = Self.enter()?.thread
    if let thread { applyPostponed(thread) }
    Self.busily {
      writeState(.recording)
      setStopped(false)
    }
    guard let thread else { return }
    // Other threads have noted ends meanwhile.
    rxt_fence_full()
    applyPostponed(thread)
    Self.leave(thread)
  }

  /// Applies the ends that are noted, if recording has resumed; to be called by a thread that has
  /// noted one while it believed that recording was stopped.
  func applyPostponedIfResumed(_ thread: ThreadState) {
    // With the fence in `resume`: either that thread sees the note, or this one sees that recording
    // has resumed.
    rxt_fence_full()
    if !ControlWord.isStopped(control) { applyPostponed(thread) }
  }

  /// Applies to slots and counters the ends that happened while recording was stopped.
  ///
  /// Requires that the control word which the thread has seen says "stopped".
  private func applyPostponed(_ thread: ThreadState) {
    tick(thread)
    for index in 1..<slab.region.used {
      let note = postponed.take(slot: index)
      guard note != 0 else { continue }
      let slot = slab.region.entry(index)
      let serial = Layout.Slot.serial.relaxed(at: slot)
      guard serial != 0 else { continue }
      let id = Packing.identifier(slot: UInt32(index), serial: serial, slotBits: slab.slotBits)
      let reason = EndReason(rawValue: note >> PostponedEnds.reasonShift) ?? .cancelled
      let isReleased = note & PostponedEnds.released != 0
      let kind = Packing.kind(ofState: Layout.Slot.state.relaxed(at: slot))
      switch EntityKind(rawValue: kind) ?? .none {
      case .signal: signalReleased(thread, id)
      case .timer: timerEnded(thread, id, reason)
      case .subscription:
        if note & PostponedEnds.ended != 0 { ended(thread, id, reason) }
        if isReleased { subscriptionReleased(thread, id) }
        if note & PostponedEnds.unheld != 0 { releaseIfUnheld(thread, id) }
      case .owner: ownerEnded(thread, id)
      case .none: break
      }
    }
  }

  /// Sets a mark of the program.
  func mark(_ thread: ThreadState, _ name: String) {
    // The memory use is read without a lock, because that may take long. The time is read with the
    // lock held, so that the times of marks never decrease.
    let memory = memory.read(.program)
    let (string, number) = tables.withLock {
      tick(thread)
      let series = marks.series(of: name)
      let string = marks.intern(name, in: series, strings)
      images.refresh()
      return (
        string, marks.add(name: string, .program, in: series, memory, at: thread.pointee.time)
      )
    }
    write(PendingRecord(.mark, number, string), thread)
  }

  /// Prepares the recording of a crash, and its report on standard error.
  ///
  /// Requires the session lock.
  static func reportCrashes(_ recorder: UnsafePointer<Recorder>) {
    guard busily({ CrashReport.prepare(for: recorder) }) else { return }
    if !recorder.pointee.details.pointee.options.recordsCrashes { recorder.pointee.noteCrashes() }
  }

  /// Installs handlers that record which signal ends the process, in which thread and when.
  private func noteCrashes() {
    typealias Header = Layout.FileHeader
    // A crash handler has to know which addresses are code, in order to find the awaiting
    // functions.
    rxt_hops_scan_images()
    let stack = capturesHops ? tables.withLock { stackTable.reserve() } : nil
    rxt_crash_install(
      rxt_crash_place(
        ended_by: base + Header.endedBy.offset,
        number: base + Header.endNumber.offset,
        ticks: base + Header.endTicks.offset,
        thread: base + Header.endThread.offset,
        chain: base + Header.endChain.offset,
        stack: base + Header.endStack.offset,
        frames: stack?.addresses,
        stack_number: stack?.number ?? 0,
        by_signal: EndingKind.signalled.rawValue,
        counts_cycles: clock.countsCycles
      )
    )
  }

  // MARK: Forking

  /// Whether this process is the child of a traced one.
  static var isForked: Bool { rxt_load_relaxed_u32(forkedFlag) != 0 }

  /// `nonisolated(unsafe)`: the pointer never changes, and what it points at is only accessed
  /// atomically.
  nonisolated(unsafe) private static let forkedFlag: UnsafeMutablePointer<UInt32> = {
    let flag = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Installs handlers that make a forked child leave the parent's file alone.
  static func installForkHandlers() { _ = forkHandlers }

  private static let forkHandlers: Bool = {
    // Lazily initialized values are initialized here, because a forked child cannot wait for the
    // thread that was initializing one.
    _ = (forkedFlag, forkCount, LogPattern.idleFlag)
    return pthread_atfork(
      { Recorder.beforeFork() },
      { Recorder.afterForkInParent() },
      { Recorder.afterForkInChild() }
    ) == 0
  }()

  /// Takes all locks, so that the child finds everything in a consistent state when it detaches
  /// from the file.
  ///
  /// The lock of the tail is not taken: its holder may be waiting for a disk, and the child does
  /// not use it.
  private static func beforeFork() {
    Trace.session.lock()
    guard let recorder = current else { return }
    // A signal handler that has interrupted the recorder must not wait for locks that its thread
    // may hold. The same applies to a handler that runs while this thread holds the locks, so the
    // thread is marked as busy.
    guard rxt_thread_state().pointee.busy == 0 else { return }
    rxt_thread_state().pointee.busy = forking
    rxt_fence_signal()
    recorder.pointee.tables.lock()
    recorder.pointee.slab.lock.lock()
    recorder.pointee.pool.lock.lock()
  }

  /// The value of `busy` for a thread that holds all locks and forks.
  private static var forking: UInt32 { 2 }

  private static func afterForkInParent() {
    if let recorder = current, rxt_thread_state().pointee.busy == forking {
      recorder.pointee.pool.lock.unlock()
      recorder.pointee.slab.lock.unlock()
      recorder.pointee.tables.unlock()
      rxt_fence_signal()
      rxt_thread_state().pointee.busy = 0
    }
    Trace.session.unlock()
    noteFork()
  }

  /// Records in the parent's trace that a child was forked, because nothing that the child does is
  /// recorded there.
  private static func noteFork() {
    guard let (recorder, thread) = enter() else { return }
    defer { leave(thread) }
    guard thread.pointee.level != 0 else { return }
    recorder.pointee.tick(thread)
    let count = rxt_add_u32(forkCount, 1) &+ 1
    recorder.pointee.write(PendingRecord(.forked, count), thread)
  }

  /// `nonisolated(unsafe)`: for the same reason as `forkedFlag`.
  nonisolated(unsafe) private static let forkCount: UnsafeMutablePointer<UInt32> = {
    let count = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }()

  private static func afterForkInChild() {
    Trace.session.reset()
    // If the parent was not traced, the child may still read its own environment and begin to
    // record.
    guard let recorder = current else { return }
    MappedFile.replaceByPrivatePages(recorder.pointee.base, recorder.pointee.byteCount)
    rxt_store_release_u32(rxt_recording_flag(), LogPattern.idleFlag)
    rxt_set_recorder(nil)
    rxt_store_relaxed_u32(forkedFlag, 1)
    recorder.pointee.memory.close()
    recorder.pointee.tail.abandon()
    recorder.pointee.tail.lock.reset()
    recorder.pointee.tables.reset()
    recorder.pointee.slab.lock.reset()
    recorder.pointee.pool.lock.reset()
    let thread = rxt_thread_state()
    thread.pointee.control = UnsafePointer(rxt_idle_control_word())
    thread.pointee.seen = rxt_load_relaxed_u32(rxt_idle_control_word())
    thread.pointee.level = 0
    thread.pointee.slab = nil
    recorder.pointee.dropSegment(thread)
    if thread.pointee.busy == forking { thread.pointee.busy = 0 }
  }
}
