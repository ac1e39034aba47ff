import CReactiveTraceShims
import Glibc
import TracePlatform

extension Trace {
  /// Writes a copy of the trace as it is now, while recording continues.
  ///
  /// The copy is final, like the trace of a program that stopped recording at this moment: it does
  /// not change any more, and later records do not overwrite it. It is only as long as its
  /// contents. Recording is not slowed down meanwhile.
  ///
  /// - Parameter path: The path of the copy. The file must not exist; it is made with mode 0600.
  /// - Throws: ``/TraceFormat/TraceError`` if nothing is recorded, if the file exists, or if it
  ///   cannot be written, in which case it is removed again.
  /// - Complexity: O(*n*) in the size of the trace; about 20 ms for one of 64 MiB in memory.
  public static func snapshot(to path: String) throws(TraceError) {
    guard let recorder = Recorder.current else {
      throw TraceError(
        .system,
        "there is nothing to copy, as this process is not recorded; set RXTRACE=1 or call Trace.start",
        path: path
      )
    }
    guard !rxt_mapping_is_lost(recorder.pointee.base) else {
      throw TraceError(
        .system,
        "the recording was cut, or its disk has failed, so that there is nothing whole to copy",
        path: recorder.pointee.details.pointee.path
      )
    }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    let descriptor = OwnDescriptor.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw TraceError(
        .system,
        "cannot be made (\(String(cString: strerror(errno)))); give a path where no file is",
        path: path
      )
    }
    defer { close(descriptor) }
    do throws(TraceError) {
      try Recorder.busily { () throws(TraceError) in
        try SnapshotWriter(recorder: recorder, descriptor: descriptor, path: path).write()
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes a snapshot next to the trace, as `<trace>-1.rxtrace`, and so on; reports on standard
  /// error if that fails.
  static func snapshotBesideTheTrace() {
    guard let path = Self.path else { return }
    let stem = path.hasSuffix(".rxtrace") ? String(path.dropLast(8)) : path
    for number in 1...9999 {
      let name = "\(stem)-\(number).rxtrace"
      guard access(name, F_OK) != 0 else { continue }
      do throws(TraceError) {
        try snapshot(to: name)
      } catch {
        StandardError.write(line: "rxtrace: \(error)")
      }
      return
    }
  }
}

/// Writes a snapshot whenever the program receives `SIGUSR2`.
///
/// The handler only posts a semaphore, because it may not do much else; a separate thread, which
/// blocks signals, does the work.
enum SnapshotSignal {
  /// `nonisolated(unsafe)`: set once, before the handler is installed, and only passed to
  /// thread-safe functions.
  nonisolated(unsafe) private static let semaphore: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
    return semaphore
  }()

  /// Installs the handler, unless the program has its own.
  static func install() {
    var old = sigaction()
    guard sigaction(SIGUSR2, nil, &old) == 0, old.isDefault else {
      return StandardError.write(
        line:
          "rxtrace: RXTRACE: 'snapshot=usr2' is ignored, as this program handles SIGUSR2 itself"
      )
    }
    _ = semaphore
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // SIGBUS stays unblocked, because its handler replaces pages that the file has lost.
    sigdelset(&all, SIGBUS)
    // The new thread inherits the mask.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let failure = Tracer.apart {
      pthread_create(
        &thread,
        nil,
        { _ in
          while true {
            if sem_wait(SnapshotSignal.semaphore) == 0 { Trace.snapshotBesideTheTrace() }
          }
        },
        nil
      )
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard failure == 0 else { return }
    pthread_detach(thread)
    var new = sigaction()
    new.__sigaction_handler.sa_handler = { _ in
      let number = errno
      sem_post(SnapshotSignal.semaphore)
      errno = number
    }
    new.sa_flags = SA_RESTART
    sigaction(SIGUSR2, &new, nil)
  }
}

extension sigaction {
  /// Whether the signal has its default action.
  fileprivate var isDefault: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 0 && sa_flags & SA_SIGINFO == 0
  }
}
