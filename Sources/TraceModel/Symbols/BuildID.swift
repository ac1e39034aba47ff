import TracePlatform
internal import TraceReading

/// The build identifier of an executable or library on this machine.
enum BuildID {
  /// The contents of the first build-id note of an ELF file; empty if it has none; nil if there is
  /// no such file or it cannot be read.
  static func of(path: String) -> [UInt8]? {
    guard let file = ElfSymbols(path: path) else { return nil }
    defer { file.close() }
    return file.buildID()
  }
}
