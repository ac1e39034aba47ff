import Glibc

/// Information from the system about itself and about processes.
package enum SystemProcess {
  /// The boot identifier as two integers, most significant byte first.
  package static func bootID() -> (high: UInt64, low: UInt64)? {
    guard let text = contents("/proc/sys/kernel/random/boot_id") else { return nil }
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return nil }
    let halves = [digits[..<16], digits[16...]].map { half in
      half.reduce(0 as UInt64) { $0 << 4 | UInt64($1) }
    }
    return (halves[0], halves[1])
  }

  /// The inode of the namespace to which the numbers of processes belong (the PID namespace).
  package static func namespace() -> UInt64? {
    var status = stat()
    return stat("/proc/self/ns/pid", &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Whether there is a process with this number that was started at this time.
  ///
  /// A difference of one tick is accepted: the offset of a time namespace need not be a whole
  /// number of ticks, and the system rounds the sum.
  package static func isThere(_ process: Int32, since start: UInt64) -> Bool {
    startTime(of: process).map { $0 &- start &+ 1 <= 2 } ?? false
  }

  /// The start time of a process (field 22 of `/proc/PID/stat`), without the offset of the time
  /// namespace; nil if there is no such process.
  ///
  /// A zombie counts as ended.
  package static func startTime(of process: Int32) -> UInt64? {
    guard process > 0, let text = contents("/proc/\(process)/stat") else { return nil }
    // The name is in parentheses and may itself contain parentheses and blanks.
    guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[text.utf8.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19]).map { $0 &- UInt64(bitPattern: TimeNamespace.own.bootTicks) }
  }

  /// The contents of a small file; nil if it is empty or cannot be read.
  package static func contents(_ path: String) -> String? {
    let descriptor = OwnDescriptor.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
