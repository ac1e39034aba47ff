internal import Glibc

/// A file in memory to which each input is written.
///
/// The reader opens it by its path, like any other file.
public struct MemoryFile: Sendable {
  private let descriptor: Int32

  /// Creates an empty file.
  public init() {
    var path = Array("/dev/shm/fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    precondition(descriptor >= 0, "a file in memory cannot be made")
    // The file has no name from now on, so nothing is left of it, however the process ends.
    unlink(&path)
  }

  /// The path at which the file can be opened.
  public var path: String { "/proc/self/fd/\(descriptor)" }

  /// Replaces the contents with the pieces at their positions, and zeros elsewhere.
  public func write(_ pieces: [(offset: Int, bytes: ArraySlice<UInt8>)], count: Int) {
    precondition(ftruncate(descriptor, 0) == 0 && ftruncate(descriptor, off_t(count)) == 0)
    for (offset, bytes) in pieces where !bytes.isEmpty {
      let written = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
      precondition(written == bytes.count)
    }
  }
}
