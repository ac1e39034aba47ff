import Glibc

/// What this user is allowed to know of a process of this machine.
public struct RunningProcess: Sendable, Hashable {
  /// The name of its executable, such as `server`, at most 15 bytes, as the system reports it; nil
  /// if the system hides it.
  public var name: String?
  /// Whether this user is not allowed to open its trace.
  public var isOfAnotherUser: Bool

  /// Describes a process.
  public init(name: String?, isOfAnotherUser: Bool = false) {
    self.name = name
    self.isOfAnotherUser = isOfAnotherUser
  }

  /// The process with a number; nil if there is none.
  public static func find(_ process: Int32) -> RunningProcess? {
    guard process > 0, kill(process, 0) == 0 || errno == EPERM else { return nil }
    var status = stat()
    // If the system hides the processes of other users, the owner cannot be determined.
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
    // The last byte is a line break; the name itself may contain others.
    return count > 1 ? String(decoding: bytes[..<(count - 1)], as: UTF8.self) : nil
  }
}
