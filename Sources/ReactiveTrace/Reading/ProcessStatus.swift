import CReactiveTraceShims
import Glibc

/// What became of the process that recorded a trace.
public enum ProcessStatus: String, Sendable, CaseIterable {
  /// It runs and may be recording.
  case running
  /// It ended without stopping the recording: killed, crashed, or out of power.
  case gone
  /// Recording was stopped in order; the trace is final, whether or not the process runs on.
  case stopped
  /// The trace is from another boot, machine or process namespace: nothing can be said.
  case elsewhere

  /// Compares what the header says with this machine: boot, namespace, process number, and start time,
  /// which tells the process from a later one with the same number.
  public init(of header: TraceHeader) {
    guard header.state != .stopped else {
      self = .stopped
      return
    }
    guard let boot = Self.bootID(), boot == header.bootID,
      Self.processNamespace() == header.processNamespace
    else {
      // Where somebody has seen it end, nothing has to be asked.
      self = header.ending == nil ? .elsewhere : .gone
      return
    }
    self = Self.isThere(header.processID, since: header.processStart) ? .running : .gone
  }

  /// Whether the process that recorded runs, also where it has stopped recording: the same boot, namespace,
  /// number and start, so that it is no later process of that number.
  public static func isRecorderRunning(_ header: TraceHeader) -> Bool {
    guard let boot = bootID(), boot == header.bootID,
      processNamespace() == header.processNamespace
    else { return false }
    return isThere(header.processID, since: header.processStart)
  }

  // MARK: This machine

  /// The boot identifier as two integers, first byte uppermost.
  static func bootID() -> (high: UInt64, low: UInt64)? {
    guard let text = contents("/proc/sys/kernel/random/boot_id") else { return nil }
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return nil }
    let halves = [digits[..<16], digits[16...]].map { half in
      half.reduce(0 as UInt64) { $0 << 4 | UInt64($1) }
    }
    return (halves[0], halves[1])
  }

  /// The inode of the process namespace.
  static func processNamespace() -> UInt64? {
    var status = stat()
    return stat("/proc/self/ns/pid", &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Whether a process has this number and began then, give or take a tick: what a time namespace adds may be no whole
  /// number of them, and the system rounds the sum.
  static func isThere(_ process: Int32, since start: UInt64) -> Bool {
    startTime(of: process).map { $0 &- start &+ 1 <= 2 } ?? false
  }

  /// Field 22 of `/proc/PID/stat`, without what a time namespace adds to it here; nil if there is no such process.
  ///
  /// A zombie has ended.
  static func startTime(of process: Int32) -> UInt64? {
    guard process > 0, let text = contents("/proc/\(process)/stat") else { return nil }
    // The name stands in parentheses and may itself contain them and blanks.
    guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[text.utf8.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19]).map { $0 &- UInt64(bitPattern: TimeNamespace.own.bootTicks) }
  }

  /// The beginning of a small file.
  static func contents(_ path: String) -> String? {
    let descriptor = OwnDescriptor.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
