import Glibc
import TracePlatform

/// A trace file opened for reading.
///
/// Uses `pread`, never a mapping: a file that shrinks under a mapping kills the reader, while
/// `pread` just returns fewer bytes.
///
/// `Sendable` because the descriptor never changes and `pread` moves no file position.
final class TraceFile: Sendable {
  let path: String
  let descriptor: Int32

  init(path: String) throws(TraceError) {
    self.path = path
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw TraceError(
        .system,
        "cannot be opened for reading (\(String(cString: strerror(errno)))); check the path",
        path: path
      )
    }
    self.descriptor = descriptor
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TraceError(
        .notATrace,
        "is not a regular file; a trace was expected, as made with RXTRACE=1",
        path: path
      )
    }
  }

  deinit { close(descriptor) }

  /// The current size of the file in bytes.
  var byteCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size)) : 0
  }

  /// The permission bits of the file, as for `chmod`.
  var permissions: mode_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & 0o777 : 0o600
  }

  /// Fills `buffer` from `offset` on and returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset >= 0, let base = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return done
  }

  /// At most `count` bytes from `offset`: fewer if the file ends earlier.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
