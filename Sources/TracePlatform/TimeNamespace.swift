import CReactiveTraceShims
import Glibc

/// How far the clocks of a time namespace are ahead of those of the machine.
///
/// A process in a time namespace has its own monotonic clock and its own time since the boot, and
/// the kernel reports the start of a process in the time of the process that asks. Two processes
/// can only compare times after converting them to those of the machine.
package enum TimeNamespace {
  package struct Offsets: Equatable {
    /// Offset of the monotonic clock, in nanoseconds.
    package var monotonic: Int64 = 0
    /// Offset of the time since the boot, in clock ticks.
    package var bootTicks: Int64 = 0

    package init(monotonic: Int64 = 0, bootTicks: Int64 = 0) {
      self.monotonic = monotonic
      self.bootTicks = bootTicks
    }
  }

  /// The offsets of the calling process.
  ///
  /// A process keeps its namespace for as long as it runs one program.
  package static let own = offsets(of: "self") ?? Offsets()

  /// The offsets of a process; nil if they cannot be read, for example before Linux 5.6, which has
  /// no time namespaces, or for a process of another user.
  package static func offsets(of process: String) -> Offsets? {
    var status = stat()
    // The file with the offsets describes the namespace of the process's children. If the process
    // has made a new namespace for its children but stayed in its own namespace, the latter is
    // usually the first of the machine, which has a fixed inode number.
    guard stat("/proc/\(process)/ns/time", &status) == 0 else { return nil }
    if status.st_ino == firstNamespace { return Offsets() }
    return SystemProcess.contents("/proc/\(process)/timens_offsets").map { Offsets(parsing: $0) }
  }

  /// The monotonic clock as `process` reads it, or as this process reads it if the offsets of
  /// `process` are unknown.
  package static func monotonicNow(of process: Int32) -> UInt64 {
    let ahead = (offsets(of: "\(process)") ?? own).monotonic &- own.monotonic
    return rxt_monotonic_ns() &+ UInt64(bitPattern: ahead)
  }

  /// The inode number of the machine's first time namespace: the kernel's `PROC_TIME_INIT_INO`.
  private static var firstNamespace: ino_t { 0xEFFF_FFFA }
}

extension TimeNamespace.Offsets {
  /// Parses lines that consist of the name of a clock, seconds and nanoseconds.
  package init(parsing text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let seconds = Int64(words[1]), let rest = Int64(words[2]),
        abs(seconds) < 1 << 33
      else { continue }
      let nanoseconds = seconds * 1_000_000_000 + rest
      if words[0] == "monotonic" { monotonic = nanoseconds }
      if words[0] == "boottime" {
        bootTicks = nanoseconds / (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
      }
    }
  }
}
