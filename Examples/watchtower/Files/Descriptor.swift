import Glibc

/// An open file, closed when it goes out of scope.
struct Descriptor: ~Copyable {
  private let number: Int32

  /// Opens a regular file for reading; nil if there is none or it may not be read.
  init?(reading path: String) {
    // Opening does not block, so that a FIFO in place of the file cannot stall the program.
    number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  }

  deinit { if number >= 0 { close(number) } }

  /// The length of the file now, in bytes.
  var size: Int {
    var status = stat()
    return fstat(number, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads at a position in the file; returns the number of bytes, 0 at the end, nil on an error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }
}
