import Glibc
import TracePlatform

/// Whether this process has a file mapped.
enum OwnMapping {
  /// Looks for the file in the list of this process's mappings.
  ///
  /// - Complexity: Reads `/proc/self/maps`; only done where a file of this process's name is there already.
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
    // Start and end, rights, offset, device, inode, path. File systems differ in what they call their device here
    // and there, so that the number of the file decides; where it belongs to another one, nothing is lost but a trace.
    while getline(&line, &size, maps) > 0, let line {
      let words = String(cString: line).split(separator: " ", maxSplits: 5)
      if words.count == 6, words[4] == "\(status.st_ino)", words[1].hasPrefix("rw-s") {
        return true
      }
    }
    return false
  }
}
