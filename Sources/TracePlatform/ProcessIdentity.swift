import CReactiveTraceShims
import Glibc

/// Identifies this process among all others, on this machine and over time.
package struct ProcessIdentity: Sendable {
  package var id: Int32 = 0
  package var user: UInt32 = 0
  /// The start of the process in clock ticks since the boot of the machine, whatever time namespace
  /// the process is in.
  package var start: UInt64 = 0
  package var namespace: UInt64 = 0
  package var bootID: (high: UInt64, low: UInt64) = (0, 0)
  package var programName = ""
  package var executablePath = ""

  /// The calling process.
  ///
  /// Unknown values stay 0 or empty.
  package static func current() -> ProcessIdentity {
    var identity = ProcessIdentity()
    identity.id = getpid()
    identity.user = geteuid()
    identity.start = SystemProcess.startTime(of: getpid()) ?? 0
    identity.namespace = SystemProcess.namespace() ?? 0
    identity.bootID = SystemProcess.bootID() ?? (0, 0)
    identity.executablePath = executablePath()
    identity.programName =
      identity.executablePath.split(separator: "/").last.map(String.init) ?? "program"
    return identity
  }

  private static func executablePath() -> String {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = readlink("/proc/self/exe", start, buffer.count)
      guard count > 0 else { return "" }
      return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
    }
    // The kernel appends this text to the path of a program whose file was removed or replaced.
    let deleted = " (deleted)"
    return path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
  }
}
