import CReactiveTraceShims
import Glibc

/// The disk space for the pages of the mapped file.
///
/// The file is created at its maximum length, as one hole. On a full disk, a store into a hole
/// raises `SIGBUS`. So the recorder allocates pages, a few at a time, before it writes to them:
/// when it assigns a segment or a row of a table, never when it records an event.
struct FileRoom: Sendable {
  /// Whether all pages were allocated when the file was created, because the kernel cannot allocate
  /// the pages of a mapped range (before Linux 5.14), or a sandbox does not allow that.
  let isWhole: Bool

  /// Allocates the first page of a file of `size` bytes that is mapped at `base`, or all of its
  /// pages if the kernel cannot allocate single ones (``isWhole``).
  ///
  /// Throws the system's error number if the pages cannot be allocated.
  init(base: UnsafeMutableRawPointer, size: Int, descriptor: Int32) throws(Failure) {
    let failure = rxt_populate(base, min(size, Self.pageSize))
    isWhole = failure == EINVAL || Self.isRefusal(failure)
    if isWhole {
      let failure = posix_fallocate(descriptor, 0, off_t(size))
      guard failure == 0 else { throw Failure(number: failure) }
      for offset in stride(from: 0, to: size, by: Self.pageSize) {
        (base + offset).storeBytes(of: 0, as: UInt8.self)
      }
    } else if failure != 0 {
      throw Failure(number: failure)
    }
  }

  /// An error of the system.
  struct Failure: Error {
    let number: Int32
    var text: String { String(cString: strerror(number)) }
  }

  /// Allocates the pages of `byteCount` bytes from `start`, so that a store into them neither fails
  /// nor waits for the disk; returns 0, or the system's error number.
  ///
  /// If a sandbox refuses the call, this returns 0. If a store then fails, the handler of `SIGBUS`
  /// stops recording.
  func take(_ start: UnsafeMutableRawPointer, _ byteCount: Int) -> Int32 {
    if isWhole || byteCount <= 0 { return 0 }
    let failure = rxt_populate(start, byteCount)
    return Self.isRefusal(failure) ? 0 : failure
  }

  private static func isRefusal(_ failure: Int32) -> Bool {
    failure == EPERM || failure == EACCES || failure == ENOSYS
  }

  static var pageSize: Int { 4096 }

  /// The number of bytes, rounded up to whole pages.
  static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }
}
