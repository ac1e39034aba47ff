internal import Glibc

/// Reads and writes whole files.
public enum Files {
  /// The contents of a file.
  public static func contents(_ path: String) throws -> [UInt8] {
    let file = try open(path, "r")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Creates or replaces a file.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try open(path, "w")
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: path) }
  }

  /// The error that a file cannot be read or written.
  public struct Failure: Error {
    let path: String
  }

  private static func open(_ path: String, _ mode: String) throws -> UnsafeMutablePointer<FILE> {
    guard let file = fopen(path, mode) else { throw Failure(path: path) }
    return file
  }
}
