internal import Glibc
internal import Reactive

/// Children of the victim, and itself again.
enum Processes {
  /// Forks; the child works, and its status is what it has counted.
  static func forked(_ round: Int) -> String {
    // Swift hides `fork`, for good reasons; programs written in C do it all the same.
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

  /// Becomes the same program again, with these arguments.
  static func executeAgain(_ arguments: [String]) {
    var words = arguments.map { strdup($0) }
    words.append(nil)
    execv("/proc/self/exe", words)
    fatalError("it cannot be executed again: \(errno)")
  }
}
