import Glibc

/// The build identifier of an executable or library on this machine.
enum BuildID {
  /// The contents of the first build-id note of an ELF file; empty if it has none; nil if there is no
  /// such file or it is not one this can read.
  static func of(path: String) -> [UInt8]? {
    // The trace names the path: a named pipe, opened in the usual way, would wait for ever.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let header = read(file, at: 0, 64), header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    let table = integer(header, 32, 8)
    let size = integer(header, 54, 2)
    guard size >= 56 else { return nil }
    for index in 0..<min(integer(header, 56, 2), 64) {
      let (offset, overflow) = table.addingReportingOverflow(index * size)
      guard !overflow, let segment = read(file, at: offset, 56) else { return nil }
      let isNotes = integer(segment, 0, 4) == 4
      guard isNotes, let notes = read(file, at: integer(segment, 8, 8), integer(segment, 32, 8))
      else { continue }
      if let identifier = buildID(in: notes) { return identifier }
    }
    return []
  }

  private static func buildID(in notes: [UInt8]) -> [UInt8]? {
    var place = 0
    while place + 12 <= notes.count {
      let name = Int(integer(notes, place, 4))
      let contents = Int(integer(notes, place + 4, 4))
      let start = place + 12 + (name + 3) & ~3
      guard start + contents <= notes.count else { return nil }
      let isBuildID = integer(notes, place + 8, 4) == 3 && name == 4
      if isBuildID, Array(notes[(place + 12)..<(place + 16)]) == [0x47, 0x4E, 0x55, 0] {
        return Array(notes[start..<(start + contents)])
      }
      place = start + (contents + 3) & ~3
    }
    return nil
  }

  private static func read(_ file: Int32, at offset: UInt64, _ count: UInt64) -> [UInt8]? {
    guard count <= 1 << 20, let offset = Int(exactly: offset) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let got = pread(file, &bytes, bytes.count, offset)
    return got == bytes.count ? bytes : nil
  }

  /// A little-endian number that lies inside.
  private static func integer(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }
}
