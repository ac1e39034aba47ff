internal import Glibc
import InspectorUI
internal import TraceModel

/// Reads and writes whole files.
enum Files {
  /// The first `limit` bytes of a file, or of standard input for `-`.
  static func contents(_ path: String, limit: Int = .max) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read '\(path)'") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot read '\(path)'") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count >= limit { return Array(bytes.prefix(limit)) }
    }
  }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Checks that nothing exists at a path.
  ///
  /// A command that works for a long time before it creates a file calls this first, so that it
  /// fails early.
  ///
  /// - Throws: `Failure` if something exists; its message ends with `remedy`.
  static func requireNew(_ path: String, _ remedy: String = "name a new file") throws {
    guard access(path, F_OK) != 0 else {
      throw Failure(.unreadable, "'\(displayName(path))' exists already; \(remedy)")
    }
  }

  /// Creates a new file that only its owner can read; an existing file is not changed.
  static func create(_ path: String, _ bytes: [UInt8]) throws {
    try create(path) { try $0(bytes) }
  }

  /// Creates a new file piece by piece; if an error occurs, the file is removed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: Writes the pieces in order, by calling the closure that it receives.
  /// - Throws: `Failure`, or any error that `body` throws.
  static func create(_ path: String, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void)
    throws
  {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let error = failure("cannot make '\(path)'", "; name a file in a directory you can write to")
      try requireNew(path)
      throw error
    }
    defer { close(descriptor) }
    do {
      try body { try write($0, to: descriptor, path) }
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw failure(
          "cannot write '\(path)'",
          "; nothing of it is kept; make room or name another file"
        )
      }
      rest = rest.dropFirst(count)
    }
  }

  static func failure(_ what: String, _ remedy: String = "") -> Failure {
    Failure(.unreadable, "\(what): \(String(cString: strerror(errno)))\(remedy)")
  }
}
