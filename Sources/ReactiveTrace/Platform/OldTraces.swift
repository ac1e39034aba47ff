import Glibc

/// Traces of earlier runs, of which only so many are kept.
struct OldTraces {
  let directory: OutputDirectory
  let identity: ProcessIdentity

  /// Removes the oldest traces of dead runs of `program`, so that `keep` of them are left.
  func prune(program: String, keep: Int) {
    var dead: [(name: String, modified: Int)] = []
    for name in names() {
      guard let parts = TraceFileName(parsing: name), parts.program == program, isDead(parts),
        let modified = modifiedHere(name)
      else { continue }
      dead.append((name, modified))
    }
    guard dead.count > keep else { return }
    dead.sort { ($0.modified, $0.name) < ($1.modified, $1.name) }
    for file in dead.dropLast(max(0, keep)) { directory.remove(file.name) }
  }

  private func names() -> [String] {
    // A descriptor of its own, for closing the stream closes it.
    let copy = OwnDescriptor.open(in: directory.descriptor, ".", O_RDONLY | O_DIRECTORY)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// Whether the run is over: no such process, or another one with its number.
  private func isDead(_ name: TraceFileName) -> Bool {
    ProcessStatus.startTime(of: name.process) != name.start
  }

  /// When a trace was last changed; nil if it is no regular file of ours, or of a process that cannot be
  /// seen from here (another container, on the same machine since it was started).
  private func modifiedHere(_ name: String) -> Int? {
    let file = OwnDescriptor.open(
      in: directory.descriptor,
      name,
      O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    )
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else { return nil }
    var header = [UInt8](repeating: 0, count: Layout.FileHeader.byteCount)
    let count = pread(file, &header, header.count, 0)
    let isElsewhere = header.withUnsafeBytes { bytes in
      count == bytes.count
        && Layout.FileHeader.magic.load(from: bytes) == Layout.FileHeader.magicNumber
        && Layout.FileHeader.bootIDHigh.load(from: bytes) == identity.bootID.high
        && Layout.FileHeader.bootIDLow.load(from: bytes) == identity.bootID.low
        && Layout.FileHeader.processNamespace.load(from: bytes) != identity.namespace
    }
    return isElsewhere ? nil : Int(status.st_mtim.tv_sec)
  }
}
