import Glibc

/// Which file a descriptor or a path leads to, whatever its name.
struct FileIdentity: Equatable, BitwiseCopyable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// That of an open file; nil if the descriptor is closed.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What the system says of a file.
  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
