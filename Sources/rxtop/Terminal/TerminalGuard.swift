internal import CNcurses
internal import CTerminalGuard
internal import Glibc

/// Handles signals while rxtop uses the terminal.
///
/// After a trap, the handler restores the terminal. For all other signals, it only sets a flag that
/// ``wait(until:)`` reads.
enum TerminalGuard {
  /// The event that ended a wait.
  enum Event {
    case input, inputClosed, resize, stop, resume
    /// A signal asked the program to end.
    case end(Int32)
  }

  /// Saves the modes of the terminal and installs the handlers.
  ///
  /// This function must be called before ncurses is initialized.
  static func install() -> Bool { rxn_guard_install() }

  /// Builds the string that resets the terminal, from the terminfo description of the terminal.
  ///
  /// This function must be called after ncurses is initialized.
  static func arm() {
    for capability in ["sgr0", "rmkx", "cnorm", "rmcup"] { rxn_guard_append(tigetstr(capability)) }
    // These sequences turn off mouse reports; terminals that do not support mouse reports ignore
    // them.
    rxn_guard_append("\u{1B}[?1000l\u{1B}[?1006l")
    rxn_guard_arm()
  }

  /// Arms the guard again after ``reset()``, when the terminal is taken over again.
  static func rearm() { rxn_guard_arm() }

  /// Restores the terminal without ncurses.
  static func reset() { rxn_guard_reset() }

  /// Restores the terminal, stops the process, and returns when it is continued.
  ///
  /// If a whole process group is stopped, the shell may take over the terminal first. SIGTTOU is
  /// ignored meanwhile, so that the signal does not stop this process before the terminal is
  /// restored.
  static func stopProcess(after restoreScreen: () -> Void) {
    rxn_guard_ignore_ttou(true)
    restoreScreen()
    reset()
    rxn_guard_ignore_ttou(false)
    rxn_guard_stop()
  }

  /// Runs a closure that waits for a child process which uses the terminal.
  ///
  /// Keys that interrupt are meant for the child; the key that stops stops both processes, so that
  /// the shell takes over the terminal.
  static func leavingKeysToChild<Result>(_ body: () throws -> Result) rethrows -> Result {
    let handlers = [(SIGINT, SIG_IGN), (SIGQUIT, SIG_IGN), (SIGTSTP, SIG_DFL)]
    let former = handlers.map { number, handler -> (Int32, sigaction) in
      var new = sigaction()
      new.__sigaction_handler.sa_handler = handler
      var old = sigaction()
      sigaction(number, &new, &old)
      return (number, old)
    }
    defer {
      for (number, action) in former {
        var action = action
        sigaction(number, &action, nil)
      }
    }
    return try body()
  }

  /// Ends the process as the unhandled signal would have.
  static func endProcess(by signal: Int32) { rxn_guard_terminate_by(signal) }

  /// Waits for an event; nil at the deadline.
  static func wait(until deadline: ContinuousClock.Instant) -> Event? {
    let left = ContinuousClock.now.duration(to: deadline)
    let milliseconds =
      left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
    let answer = rxn_guard_wait(Int32(clamping: max(0, milliseconds + (left > .zero ? 1 : 0))))
    if answer & 2 != 0, let event = nextSignalEvent() { return event }
    if answer & 1 != 0 { return rxn_bytes_waiting() > 0 ? .input : .inputClosed }
    return answer & 4 != 0 ? .inputClosed : nil
  }

  private static func nextSignalEvent() -> Event? {
    switch rxn_guard_next_signal() {
    case 0: nil
    case SIGWINCH: .resize
    case SIGTSTP: .stop
    case SIGCONT: .resume
    case let signal: .end(signal)
    }
  }
}
