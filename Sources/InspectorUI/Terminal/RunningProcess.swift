import Glibc

/// What this user is allowed to know about a running process.
public struct RunningProcess: Sendable, Hashable {
  /// The process name that the kernel reports, such as `server`, of at most 15 bytes; nil if the
  /// system hides it.
  public var name: String?
  /// Whether the process belongs to another user, so that this user may not open its trace.
  public var isOfAnotherUser: Bool

  /// Describes a process.
  public init(name: String?, isOfAnotherUser: Bool = false) {
    self.name = name
    self.isOfAnotherUser = isOfAnotherUser
  }

  /// The process with an identifier; nil if there is none.
  public static func find(_ process: Int32) -> RunningProcess? {
    guard process > 0, kill(process, 0) == 0 || errno == EPERM else { return nil }
    var status = stat()
    // A process that exists but has no entry in `/proc` is hidden, because it belongs to another
    // user.
    let isKnown = stat("/proc/\(process)", &status) == 0
    let isOfAnotherUser = !isKnown || status.st_uid != geteuid()
    return RunningProcess(
      name: name(of: process),
      isOfAnotherUser: isOfAnotherUser && geteuid() != 0
    )
  }

  private static func name(of process: Int32) -> String? {
    let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    // The last byte is a newline, and the name itself may contain newlines.
    return count > 1 ? String(decoding: bytes[..<(count - 1)], as: UTF8.self) : nil
  }
}
