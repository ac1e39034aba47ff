import Glibc
import TraceFormat

/// A temporary folder, which the caller removes.
struct TemporaryFolder {
  let path: String

  init() throws(TraceError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/reactive-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TraceError(
        .system,
        "no folder can be made in it (\(String(cString: strerror(errno)))); set TMPDIR to one with room",
        path: parent
      )
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The contents of a file in the folder.
  func bytes(of name: String) throws(TraceError) -> [UInt8] {
    let file = "\(path)/\(name)"
    guard let stream = fopen(file, "r") else {
      throw TraceError(.system, "cannot be read (\(String(cString: strerror(errno))))", path: file)
    }
    defer { fclose(stream) }
    fseek(stream, 0, SEEK_END)
    let count = ftell(stream)
    rewind(stream)
    return [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, buffer.count, stream)
    }
  }

  /// Removes the folder and the files in it.
  func remove() {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { _ = unlinkat(dirfd(folder), $0, 0) }
        }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
