internal import Glibc

/// A program that replaces itself with another run of itself, started with `again TIMES`.
enum Reexecution {
  /// Records ten events for each run that is left, this one included.
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
