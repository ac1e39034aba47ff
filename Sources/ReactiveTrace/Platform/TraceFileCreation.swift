import Glibc

extension MappedFile {
  /// Makes the trace file of this process where the options and the environment say.
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
      .prune(program: name.program, keep: options.keep)
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

  /// Makes a file at a path that the user gave, in place of an earlier trace that nobody writes any more.
  private static func create(
    exactly path: String,
    _ plan: FilePlan,
    _ options: TraceOptions,
    _ process: ProcessIdentity
  ) throws(TraceError) -> MappedFile {
    try removeEarlierTrace(path, process)
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

  private static func removeEarlierTrace(
    _ path: String,
    _ process: ProcessIdentity
  ) throws(TraceError) {
    let descriptor = OwnDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    // Whatever is wrong, making the file says it better.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    var header = [UInt8](repeating: 0, count: Layout.FileHeader.byteCount)
    let count = pread(descriptor, &header, header.count, 0)
    let isTrace = header.withUnsafeBytes { bytes in
      fstat(descriptor, &status) == 0 && status.st_uid == geteuid() && count == bytes.count
        && Layout.FileHeader.magic.load(from: bytes) == Layout.FileHeader.magicNumber
    }
    guard isTrace else {
      throw TraceError(
        .system,
        "exists and is not a trace of yours; remove it or give 'file' another path",
        path: path
      )
    }
    let isWritten = header.withUnsafeBytes { bytes in
      let writer = Int32(bitPattern: Layout.FileHeader.processID.load(from: bytes))
      return Layout.FileHeader.bootIDHigh.load(from: bytes) == process.bootID.high
        && Layout.FileHeader.bootIDLow.load(from: bytes) == process.bootID.low
        && Layout.FileHeader.processNamespace.load(from: bytes) == process.namespace
        && ProcessStatus.startTime(of: writer)
          == Layout.FileHeader.processStart.load(from: bytes)
    }
    guard !isWritten else {
      throw TraceError(
        .system,
        "is being written by a running process; give 'file' another path",
        path: path
      )
    }
    unlink(path)
  }
}
