internal import CNcurses
internal import Glibc
internal import TraceModel

/// The signals that ask the program to end: SIGINT and SIGTERM.
///
/// The program blocks them, and checks for them at points where it can end in an orderly way.
enum StopSignals {
  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    return set
  }

  /// Blocks the signals, so that signals that arrive stay pending.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Whether one of the signals is pending; always false before ``block()``.
  static var arePending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Waits for a duration, or until one of the signals is pending.
  static func sleep(_ length: Duration) {
    let deadline = ContinuousClock.now + length
    while !arePending, case let rest = deadline - .now, rest > .zero {
      // A blocked signal does not interrupt a sleep, so the sleep is divided into short ones.
      var time = timespec()
      time.tv_nsec = Int(min(rest, .milliseconds(100)).wholeNanoseconds)
      nanosleep(&time, nil)
    }
  }
}
