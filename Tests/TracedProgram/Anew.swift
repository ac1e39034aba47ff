internal import Glibc

/// A program that replaces itself by another run of the same one: `again TIMES`.
enum Anew {
  /// Ten times as many events as it will replace itself.
  static func run(_ times: Int) {
    Workload.work(10 * times)
    guard times > 1 else { return }
    let texts = ["traced-program", "again", "\(times - 1)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    fail("it cannot be started again: \(String(cString: strerror(errno)))")
  }
}
