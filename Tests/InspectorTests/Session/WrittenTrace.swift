import Glibc
import TraceReading

/// A trace file assembled from text, which is deleted together with this object.
final class WrittenTrace: Sendable {
  let path: String

  init(_ text: String) throws {
    path = "/tmp/rxtop-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).rxtrace"
    try write(text)
  }

  deinit { unlink(path) }

  /// Replaces the contents of the file; readers that have it open see the change.
  func write(_ text: String) throws { try replace(with: try TraceText.assemble(text)) }

  /// Empties the file; its name and open descriptors remain.
  func truncate() throws { try replace(with: []) }

  /// Removes bytes at the end.
  func cut(by count: Int) throws {
    var status = stat()
    guard stat(path, &status) == 0, Glibc.truncate(path, status.st_size - off_t(count)) == 0 else {
      throw TraceError(.system, "cannot be cut", path: path)
    }
  }

  private func replace(with bytes: [UInt8]) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TraceError(.system, "cannot be made", path: path) }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw TraceError(.system, "cannot be written", path: path)
    }
  }
}
