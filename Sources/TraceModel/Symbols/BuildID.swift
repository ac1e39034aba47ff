import TracePlatform
internal import TraceReading

/// The build identifier of an executable or library on this machine.
enum BuildID {
  /// The contents of the first build-id note of a file; empty if it has none; nil if it cannot be
  /// read or is not a little-endian 64-bit ELF file.
  static func of(path: String) -> [UInt8]? {
    guard let file = ElfSymbols(path: path) else { return nil }
    defer { file.close() }
    return file.buildID()
  }
}
