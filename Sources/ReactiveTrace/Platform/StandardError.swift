import Glibc

/// Standard error, one line at a time, without buffers that another thread might have locked.
enum StandardError {
  /// Writes a line, and gives up if nothing reads it.
  static func write(line: String) {
    withoutBrokenPipes {
      var text = line + "\n"
      text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
          let count = Glibc.write(2, rest.baseAddress, rest.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return }
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
      }
    }
  }

  /// Writes bytes without waiting: nothing is written while the reader has not made room by reading
  /// earlier output.
  fileprivate static func writeNow(_ bytes: UnsafeRawBufferPointer) {
    var place = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    guard poll(&place, 1, 0) == 1, place.revents & Int16(POLLOUT) != 0 else { return }
    withoutBrokenPipes { _ = Glibc.write(2, bytes.baseAddress, bytes.count) }
  }

  /// Runs `body` so that writing to a pipe without a reader does not end the program.
  private static func withoutBrokenPipes(_ body: () -> Void) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    body()
    // Discards the SIGPIPE that the write caused, but not one that was pending before.
    if sigismember(&pending, SIGPIPE) == 0 {
      var now = timespec()
      while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// A line for standard error that is composed in advance, so that it can be written when no memory
/// may be allocated and locks may be held.
///
/// `@unchecked Sendable`: the bytes are never changed and never freed.
struct PreparedLine: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer

  init(_ line: String) {
    let text = Array((line + "\n").utf8)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    copy.copyBytes(from: text)
    bytes = UnsafeRawBufferPointer(copy)
  }

  /// Writes the line, if that is possible without waiting.
  ///
  /// The calling thread cannot be cancelled meanwhile: it may hold locks.
  func write() {
    var before: CInt = 0
    pthread_setcancelstate(CInt(PTHREAD_CANCEL_DISABLE), &before)
    StandardError.writeNow(bytes)
    pthread_setcancelstate(before, nil)
  }
}
