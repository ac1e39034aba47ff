import Glibc
import TracePlatform

extension MappedFile {
  /// Makes the trace file of this process at the location that the options and the environment
  /// give.
  static func create(
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) -> MappedFile {
    let plan = FilePlan(ringSize: options.size)
    if let path = options.path {
      return try create(exactly: OutputDirectory.absolute(path), plan, options, process)
    }
    let name = TraceFileName(
      program: process.programName,
      process: process.id,
      start: process.start
    )
    for candidate in OutputDirectory.candidates(size: plan.byteCount) {
      do throws(TraceError) {
        return try create(candidate, name, plan, options, process)
      } catch {
        guard candidate.isOptional else { throw error }
      }
    }
    throw TraceError(.system, "no directory for traces was found; set RXTRACE_DIR to one")
  }

  private static func create(
    _ place: OutputDirectory.Candidate,
    _ name: TraceFileName,
    _ plan: FilePlan,
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) -> MappedFile {
    let directory = try OutputDirectory(path: place.path)
    defer { close(directory.descriptor) }
    OldTraces(directory: directory, identity: process)
      .prune(named: name.program, keep: options.keep)
    let descriptor = try directory.create(name)
    do throws(TraceError) {
      return try MappedFile(
        descriptor: descriptor,
        path: place.path + "/" + name.text,
        note: place.note,
        plan: plan,
        isStreamed: options.mode == .stream
      )
    } catch {
      directory.remove(name.text)
      throw error
    }
  }

  /// Makes a file at a path that the user gave, in place of an earlier trace that is no longer
  /// being written.
  ///
  /// If the program was started by `exec` in the process of an earlier run, both runs have the same
  /// process number, start time and path. The trace of the earlier run is then renamed, in the same
  /// directory.
  private static func create(
    exactly path: String,
    _ plan: FilePlan,
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) -> MappedFile {
    try clear(path, options, process)
    let descriptor = OwnDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw TraceError(
        .system,
        "cannot be made (\(String(cString: strerror(errno)))); give 'file' another path",
        path: path
      )
    }
    do throws(TraceError) {
      return try MappedFile(
        descriptor: descriptor,
        path: path,
        note: "",
        plan: plan,
        isStreamed: options.mode == .stream
      )
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Makes the path available for a new trace.
  private static func clear(
    _ path: String,
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) {
    let descriptor = OwnDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    // If there is no file, nothing has to be done. If there is a file that cannot be opened,
    // creating the new file fails, and that error is reported.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      let earlier = StoredIdentity(descriptor)
    else {
      throw TraceError(
        .system,
        "exists and is not a trace of yours; remove it or give 'file' another path",
        path: path
      )
    }
    let isRunning =
      earlier.bootID == process.bootID && earlier.namespace == process.namespace
      && SystemProcess.isThere(earlier.id, since: earlier.start)
    guard isRunning else {
      unlink(path)
      return
    }
    guard earlier.id == process.id, !OwnMapping.exists(of: descriptor) else {
      throw TraceError(
        .system,
        "is being written by a running process; give 'file' another path",
        path: path
      )
    }
    try putAside(path, options, process)
  }

  /// Renames the trace of an earlier run of this very process to
  /// `<file>-<process>-<number>.rxtrace` in the same directory, and removes the oldest of those if
  /// there are too many.
  private static func putAside(
    _ path: String,
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = String(path[end...])
    let stem =
      name.hasSuffix(TraceFileName.suffix) ? name.dropLast(TraceFileName.suffix.count) : name[...]
    let directory = try OutputDirectory(openAt: String(path[..<end]))
    defer { close(directory.descriptor) }
    let aside = TraceFileName(program: String(stem), process: process.id, start: 0)
    guard directory.putAside(name, as: aside) else {
      throw TraceError(
        .system,
        "an earlier run of this process wrote it, and it cannot be put aside (\(String(cString: strerror(errno)))); "
          + "give 'file' another path",
        path: path
      )
    }
    OldTraces(directory: directory, identity: process).prune(
      named: aside.program,
      keep: options.keep
    )
  }
}
