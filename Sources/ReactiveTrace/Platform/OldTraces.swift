import CReactiveTraceShims
import Glibc
import TracePlatform

/// Traces of earlier runs, of which only a limited number is kept.
struct OldTraces {
  let directory: OutputDirectory
  let identity: ProcessIdentity

  /// Removes the oldest traces of runs that have ended, so that `keep` of them are left.
  ///
  /// A matching name is not sufficient: a file is removed only if its header shows that it is a
  /// recording of this program, and no process still writes it.
  ///
  /// - Parameters:
  ///   - stem: The part of the file names before the process number.
  ///   - keep: How many to keep.
  func prune(named stem: String, keep: Int) {
    var dead: [(name: String, modified: timespec)] = []
    for name in names() {
      guard let parts = TraceFileName(parsing: name), parts.program == stem, isDead(parts),
        let modified = modifiedIfDead(name)
      else { continue }
      dead.append((name, modified))
    }
    guard dead.count > keep else { return }
    dead.sort {
      ($0.modified.tv_sec, $0.modified.tv_nsec, $0.name)
        < ($1.modified.tv_sec, $1.modified.tv_nsec, $1.name)
    }
    for file in dead.dropLast(max(0, keep)) { directory.remove(file.name) }
  }

  private func names() -> [String] {
    // The stream gets a separate descriptor, because closing the stream closes its descriptor.
    let copy = OwnDescriptor.open(in: directory.descriptor, ".", O_RDONLY | O_DIRECTORY)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
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

  /// Whether the run is over: there is no process with its number, or a later process has that
  /// number.
  private func isDead(_ name: TraceFileName) -> Bool {
    !SystemProcess.isThere(name.process, since: name.start)
  }

  /// When a trace was last changed; nil if it is not a regular file of this user, not a recording
  /// of this program, or may still be written.
  private func modifiedIfDead(_ name: String) -> timespec? {
    let file = OwnDescriptor.open(
      in: directory.descriptor,
      name,
      O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    )
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), let old = StoredIdentity(file),
      old.programName == identity.programName, !mayBeWritten(old, file)
    else { return nil }
    return status.st_mtim
  }

  /// Whether the process named in the header is running, or may be, because a process of the same
  /// boot in another container cannot be seen from here.
  ///
  /// If the header names this process, the file is being written only if this process has mapped
  /// it. Otherwise, a program that ran in this process before has written the file.
  private func mayBeWritten(_ old: StoredIdentity, _ file: Int32) -> Bool {
    guard old.bootID == identity.bootID else { return false }
    guard old.namespace == identity.namespace else { return true }
    if old.id == identity.id, old.start == identity.start { return OwnMapping.exists(of: file) }
    return SystemProcess.isThere(old.id, since: old.start)
  }
}
