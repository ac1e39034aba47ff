import CReactiveTraceShims
import Glibc

/// The disk space for the pages of the mapped file.
///
/// The file is created with its maximum length, and consists of holes. On a full disk, a store into
/// a hole ends the program with a signal. So pages are allocated, a few at a time, before anything
/// is written to them: when a segment or a row of a table is assigned, never when an event is
/// recorded.
struct FileRoom: Sendable {
  /// Whether all pages were allocated when the file was made, because the kernel cannot allocate a
  /// range of pages later.
  let isWhole: Bool

  /// Allocates the first page of a file of `size` bytes that is mapped at `base`, or all of its
  /// pages if the kernel (before Linux 5.14) cannot allocate a range of them.
  ///
  /// Throws the system's error number if there is no room.
  init(base: UnsafeMutableRawPointer, size: Int, descriptor: Int32) throws(Failure) {
    let failure = rxt_populate(base, min(size, Self.pageSize))
    isWhole = failure == EINVAL
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

  /// Allocates these pages, so that a store into any of them neither fails nor waits; returns 0, or
  /// the system's error number.
  ///
  /// If a sandbox that the process has entered refuses the call, success is assumed: a store that
  /// fails nevertheless stops the recording.
  func take(_ start: UnsafeMutableRawPointer, _ byteCount: Int) -> Int32 {
    if isWhole || byteCount <= 0 { return 0 }
    let failure = rxt_populate(start, byteCount)
    return failure == EPERM || failure == EACCES || failure == ENOSYS ? 0 : failure
  }

  static var pageSize: Int { 4096 }

  /// The number of bytes, rounded up to whole pages.
  static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }
}
