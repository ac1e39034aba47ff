import Glibc

/// A file that is removed when the test ends.
final class TemporaryFile: Sendable {
  let path: String
  private let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    var template = Array("/tmp/rxtrace-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw Failure(path: path) }
    try write(bytes)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  struct Failure: Error { let path: String }

  /// Replaces the contents, as a recorder does: in place, so that open readers see them.
  func write(_ bytes: [UInt8]) throws {
    guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw Failure(path: path) }
    try overwrite(bytes, at: 0)
  }

  /// Replaces some of the contents.
  func overwrite(_ bytes: some Collection<UInt8>, at offset: Int) throws {
    let bytes = Array(bytes)
    guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
      throw Failure(path: path)
    }
  }
}

/// Files of the tests and of the package.
enum Files {
  /// The folder of this target's tests.
  static let tests = folder(above: #filePath, levels: 2)
  /// The root of the package.
  static let root = folder(above: #filePath, levels: 4)

  static func text(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw TemporaryFile.Failure(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func folder(above path: String, levels: Int) -> String {
    path.split(separator: "/").dropLast(levels).reduce("") { $0 + "/" + $1 }
  }
}
