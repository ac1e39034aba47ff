import CReactiveTraceShims
import Glibc
import TracePlatform

/// A directory for traces.
///
/// It must belong to this user, and no other user may write into it.
struct OutputDirectory {
  let path: String
  let descriptor: Int32

  /// Opens the directory, and makes it if it does not exist.
  init(path: String) throws(TraceError) {
    self.path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.failure("cannot be made", path)
    }
    // No link is followed: anybody may create one in /tmp.
    let descriptor = OwnDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Self.failure("is not a directory that can be opened", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else {
      close(descriptor)
      throw TraceError(
        .system,
        "belongs to or may be changed by another user; make it yours with mode 0700, "
          + "or set RXTRACE_DIR to another directory",
        path: path
      )
    }
    self.descriptor = descriptor
  }

  /// Opens an existing directory, whatever its permissions.
  init(openAt path: String) throws(TraceError) {
    self.path = path
    descriptor = OwnDescriptor.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw Self.failure("is not a directory that can be opened", path) }
  }

  /// Makes a new file for the trace of this process.
  ///
  /// A program that replaces itself by another run of the same program (`exec`) keeps its process
  /// number and start time, so its earlier trace already has this name. That trace is then renamed
  /// (``putAside(_:as:)``). But if it is still mapped, another copy of this library in the same
  /// process is writing it, and it is left alone.
  func create(_ name: TraceFileName) throws(TraceError) -> Int32 {
    var file = makeFile(name.text)
    if file < 0, errno == EEXIST {
      guard !isBeingWrittenHere(name.text) else {
        throw TraceError(
          .alreadyStarted,
          "is being written by another copy of this library in the same process, so this copy "
            + "records nothing; link the program so that it contains the library once",
          path: path + "/" + name.text
        )
      }
      if putAside(name.text, as: name) { file = makeFile(name.text) }
    }
    guard file >= 0 else { throw Self.failure("cannot be made", path + "/" + name.text) }
    return file
  }

  /// Renames the trace of an earlier run of a process to the first free one of the names that end
  /// with the process number and 0, 1, 2 and so on; returns false, with the reason in `errno`, if
  /// that cannot be done.
  ///
  /// The number takes the place of the start time in the name. A start time counts hundredths of a
  /// second since the boot, and there are rarely more than a hundred such traces, so the trace of a
  /// running process has such a name only if the process was started within the first second after
  /// the boot. Only the process itself renames its traces, at its start, so no other process takes
  /// a name between the check and the renaming.
  func putAside(_ earlier: String, as name: TraceFileName) -> Bool {
    for number in 0..<Self.mostAside {
      let aside = TraceFileName(program: name.program, process: name.process, start: number)
      var status = stat()
      if fstatat(descriptor, aside.text, &status, AT_SYMLINK_NOFOLLOW) == 0 { continue }
      return renameat(descriptor, earlier, descriptor, aside.text) == 0
    }
    errno = EEXIST
    return false
  }

  private static var mostAside: UInt64 { 10_000 }

  private func makeFile(_ name: String) -> Int32 {
    OwnDescriptor.open(in: descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  }

  private func isBeingWrittenHere(_ name: String) -> Bool {
    let earlier = OwnDescriptor.open(in: descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard earlier >= 0 else { return false }
    defer { close(earlier) }
    return OwnMapping.exists(of: earlier)
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  private static func failure(_ what: String, _ path: String) -> TraceError {
    TraceError(
      .system,
      "\(what) (\(String(cString: strerror(errno)))); set RXTRACE_DIR to a directory of yours",
      path: path
    )
  }

  // MARK: Choosing

  /// A possible location of a trace, and a remark about it that is stored in the trace.
  struct Candidate {
    var path: String
    var note = ""
    /// Whether another location is tried if this one fails.
    var isOptional = true
  }

  /// The locations to try for a trace of `size` bytes, the best first.
  static func candidates(size: Int) -> [Candidate] {
    if let path = environment("RXTRACE_DIR") {
      return [Candidate(path: absolute(path), isOptional: false)]
    }
    var places: [Candidate] = []
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
      hasRoom(runtime, size)
    {
      places.append(Candidate(path: runtime + "/rxtrace"))
    }
    if hasRoom("/dev/shm", size) {
      places.append(Candidate(path: "/dev/shm/rxtrace-\(geteuid())"))
    }
    places.append(
      Candidate(
        path: "/tmp/rxtrace-\(geteuid())",
        note: "There was no room in memory for this trace, so it is on a disk: "
          + "writing to it may have stalled the program for milliseconds.",
        isOptional: false
      )
    )
    return places
  }

  /// An environment variable; nil if it is empty, or if the program runs with another user's
  /// rights.
  static func environment(_ name: String) -> String? {
    guard let value = rxt_environment(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// `path` as an absolute path, so that it stays valid when the program changes its working
  /// directory.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  private static func hasRoom(_ path: String, _ size: Int) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0, access(path, W_OK) == 0 else { return false }
    // Some file systems report the greatest number if there is no limit.
    let (room, isMore) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isMore || room > UInt64(size)
  }
}
