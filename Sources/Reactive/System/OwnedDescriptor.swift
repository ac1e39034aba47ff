import CReactiveTraceShims
import Glibc

/// A file descriptor that is closed when nothing uses it any more.
///
/// Readers and waiters hold this object: the descriptor is never closed while they use it, so that
/// its number is not reused meanwhile.
package final class OwnedDescriptor: Sendable {
  package let number: Int32

  /// Takes over a descriptor.
  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// The ends of a new pipe, to read from and to write to, which are closed in child processes.
  ///
  /// Neither end is one of the program's standard streams, even if the program runs with closed
  /// standard streams.
  ///
  /// - Returns: The ends; nil if there is no pipe, with the reason in `errno`.
  package static func pipe() -> (reader: OwnedDescriptor, writer: OwnedDescriptor)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    let reader = rxt_above_standard(ends[0])
    let writer = rxt_above_standard(ends[1])
    let failure = errno
    let pipe = (OwnedDescriptor(reader), OwnedDescriptor(writer))
    guard reader >= 0, writer >= 0 else {
      errno = failure
      return nil
    }
    for end in [reader, writer] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return pipe
  }

  /// The access that a descriptor has to be open for.
  package enum Access: Sendable {
    case reading
    case writing
  }

  /// Returns another descriptor of the same open file; the program may close the original at any
  /// time.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - operation: The operation that needs the descriptor, for the failure's description.
  ///   - access: The access that the descriptor has to be open for: waiting on the wrong end of a
  ///     pipe would never end.
  /// - Returns: The copy, which is closed when it is released.
  /// - Throws: The system's error; `EBADF` if the descriptor is not open for that access.
  package static func copy(of number: Int32, for operation: String, _ access: Access)
    throws(SystemFailure) -> OwnedDescriptor
  {
    let subject = "descriptor \(number)"
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemFailure(operation, of: subject, code: errno) }
    let owned = OwnedDescriptor(copy)
    let flags = fcntl(copy, F_GETFL)
    if let mistake = Self.mistake(flags, access) {
      throw SystemFailure(operation, of: subject, code: EBADF, advice: mistake)
    }
    return owned
  }

  /// Why a file that was opened with these flags cannot be used; nil if it can.
  private static func mistake(_ flags: Int32, _ access: Access) -> String? {
    // O_PATH, which Glibc's module does not have.
    if flags & 0o10_000_000 != 0 {
      return "it was opened with O_PATH, which is for neither reading nor writing"
    }
    return switch (access, flags & O_ACCMODE) {
    case (.reading, O_WRONLY): "it is open for writing only; the other end of a pipe is for reading"
    case (.writing, O_RDONLY): "it is open for reading only; the other end of a pipe is for writing"
    default: nil
    }
  }

  /// Opens a file.
  package static func open(_ path: String, _ flags: Int32, for operation: String)
    throws(SystemFailure) -> OwnedDescriptor
  {
    while true {
      let number = rxt_above_standard(Glibc.open(path, flags | O_CLOEXEC, 0o666))
      if number >= 0 { return OwnedDescriptor(number) }
      if errno != EINTR { throw SystemFailure(operation, of: path, code: errno) }
    }
  }

  /// Whether the descriptor is ready now.
  func isReady(for events: Int16) -> Bool {
    var entry = pollfd(fd: number, events: events, revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Reads the available bytes, at most `size`.
  ///
  /// - Returns: An empty array at the end of the file; nil if nothing is available at the moment.
  package func read(atMost size: Int, _ failure: (Int32) -> SystemFailure) throws(SystemFailure)
    -> [UInt8]?
  {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let result = Glibc.read(number, buffer.baseAddress, size)
      if result < 0 { code = errno }
      count = max(0, result)
    }
    if code == EINTR || code == EAGAIN { return nil }
    if code != 0 { throw failure(code) }
    return bytes
  }

  /// Writes some of the bytes: as many as the file accepts without waiting, if the file is ready.
  ///
  /// - Returns: How many were written; 0 if none are accepted at the moment.
  package func write(_ bytes: UnsafeRawBufferPointer, _ failure: (Int32) -> SystemFailure)
    throws(SystemFailure) -> Int
  {
    let (count, code) = withoutBrokenPipeSignal {
      let count = Glibc.write(number, bytes.baseAddress, bytes.count)
      return (count, count < 0 ? errno : 0)
    }
    if code == EINTR || code == EAGAIN { return 0 }
    if code != 0 { throw failure(code) }
    return count
  }

  /// Runs `body` with `SIGPIPE` blocked, so that a write to a pipe without a reader fails with an
  /// error instead of ending the program.
  private func withoutBrokenPipeSignal(_ body: () -> (Int, Int32)) -> (Int, Int32) {
    var broken = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    sigemptyset(&pending)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &broken, &before)
    let result = body()
    if result.1 == EPIPE, !wasPending {
      var none = timespec()
      sigtimedwait(&broken, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
  }
}
