import Glibc
import TracePlatform

/// Whether this process has a file mapped.
enum OwnMapping {
  /// Searches for the file in the list of this process's mappings.
  ///
  /// - Complexity: Reads `/proc/self/maps`, so it is only called for a file that appears to be a
  ///   trace of this process.
  static func exists(of descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let list = OwnDescriptor.open("/proc/self/maps", O_RDONLY)
    guard list >= 0 else { return false }
    guard let maps = fdopen(list, "r") else {
      close(list)
      return false
    }
    defer { fclose(maps) }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    // The fields of a line are the addresses, the permissions, the offset, the device, the inode
    // and the path. Some file systems report a different device number in this list, so only the
    // inode is compared. If another file happens to have the same inode number, the only
    // consequence is that nothing is recorded.
    while getline(&line, &size, maps) > 0, let line {
      let words = String(cString: line).split(separator: " ", maxSplits: 5)
      if words.count == 6, words[4] == "\(status.st_ino)", words[1].hasPrefix("rw-s") {
        return true
      }
    }
    return false
  }
}
