internal import Glibc
internal import Reactive

/// Forks children of the victim, and starts the victim again.
enum Processes {
  /// Forks a child that does a round of work and passes the result as its exit status; returns a
  /// text with that status as `waitpid` reports it.
  static func forked(_ round: Int) -> String {
    // Swift makes `fork` unavailable, but programs written in C use it.
    guard let symbol = dlsym(nil, "fork") else { fatalError("there is no fork") }
    let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    if child == 0 {
      let sum = Sum()
      let numbers = Subject<Int, Never>()
      numbers.signal.map { $0 + 1 }.subscribe { sum.add($0) }
      for _ in 0..<round + 1 { numbers.send(0) }
      _exit(Int32(sum.value & 0x7F))
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return "child \(round): \(status)"
  }

  /// Replaces the process with the same program and these arguments.
  static func executeAgain(_ arguments: [String]) {
    var words = arguments.map { strdup($0) }
    words.append(nil)
    execv("/proc/self/exe", words)
    fatalError("it cannot be executed again: \(errno)")
  }
}
