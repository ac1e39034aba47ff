import CReactiveTraceShims
import Glibc

/// The room on the disk that the pages of the mapped file take.
///
/// The file is made as long as it can become, and is full of holes. A store into a hole on a full disk ends the
/// program with a signal. So each page is asked for before anything is written to it, some at a time: where a segment
/// or a row of a table is handed out, never where an event is recorded.
struct FileRoom: Sendable {
  /// Whether all pages were taken when the file was made, for the kernel cannot be asked for some of them.
  let isWhole: Bool

  /// Asks for the first page of a file of `size` bytes that is mapped at `base`; for all of them where the kernel (before
  /// Linux 5.14) cannot be asked for some.
  ///
  /// Throws the system's number of the error where there is no room.
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

  /// Sees to it that a store into any of these pages neither fails nor waits; 0, or the system's number of the error.
  ///
  /// Where a sandbox that the process has entered refuses to say, it is taken for granted: a store that fails all the
  /// same stops the recording.
  func take(_ start: UnsafeMutableRawPointer, _ byteCount: Int) -> Int32 {
    if isWhole || byteCount <= 0 { return 0 }
    let failure = rxt_populate(start, byteCount)
    return failure == EPERM || failure == EACCES || failure == ENOSYS ? 0 : failure
  }

  static var pageSize: Int { 4096 }

  /// As many bytes as the pages have that hold so many.
  static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }
}
