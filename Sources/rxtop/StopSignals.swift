internal import CNcurses
internal import Glibc
internal import TraceModel

/// The signals that ask a program to end, for one that looks for them when it can end in order.
enum StopSignals {
  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    return set
  }

  /// From now on they wait until they are looked for.
  static func hold() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Whether one has come; never before ``hold()``.
  static var haveCome: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Waits, but not any longer than until one comes, which then goes on waiting.
  static func sleep(_ length: Duration) {
    let deadline = ContinuousClock.now + length
    while !haveCome, case let rest = deadline - .now, rest > .zero {
      // A signal that is held interrupts nothing: it is looked for often.
      var time = timespec()
      time.tv_nsec = Int(min(rest, .milliseconds(100)).wholeNanoseconds)
      nanosleep(&time, nil)
    }
  }
}
