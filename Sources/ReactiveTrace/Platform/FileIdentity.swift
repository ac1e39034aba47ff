import Glibc

/// Identifies the file of a descriptor or a path, whatever its name.
struct FileIdentity: Equatable, BitwiseCopyable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// The identity of an open file; nil if the descriptor is closed.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity from the system's information about a file.
  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
