package import Glibc
package import TraceFormat

/// A file that gets its name only when it is complete.
package struct NewFile {
  package let path: String
  private let temporary: String
  package let descriptor: Int32

  package init(beside path: String) throws(TraceError) {
    self.path = path
    temporary = "\(path).\(getpid())"
    descriptor = OwnDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot be made", path) }
  }

  package func write(_ bytes: some Collection<UInt8>, at offset: Int) throws(TraceError) {
    guard Self.write(bytes, to: descriptor, at: offset) else {
      throw Self.failure("cannot be written", path)
    }
  }

  package func setLength(_ byteCount: Int) throws(TraceError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw Self.failure("cannot be written", path)
    }
  }

  /// Sets the permissions of the complete file, and gives the file its name.
  package func finish(permissions: mode_t) throws(TraceError) {
    fchmod(descriptor, permissions)
    guard rename(temporary, path) == 0 else {
      throw Self.failure("cannot be put in its place", path)
    }
    close(descriptor)
  }

  package func abandon() {
    close(descriptor)
    unlink(temporary)
  }

  /// Writes all bytes; returns false, with the error in `errno`, if that fails.
  package static func write(
    _ bytes: some Collection<UInt8>,
    to descriptor: Int32,
    at offset: Int
  ) -> Bool {
    bytes.withContiguousStorageIfAvailable { buffer -> Bool in
      var done = 0
      while done < buffer.count, let start = buffer.baseAddress {
        let count = pwrite(descriptor, start + done, buffer.count - done, off_t(offset + done))
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          return false
        }
      }
      return true
    } == true
  }

  private static func failure(_ what: String, _ path: String) -> TraceError {
    TraceError(
      .system,
      "\(what) (\(String(cString: strerror(errno)))); a directory to write into, with room for another copy, was expected",
      path: path
    )
  }
}
