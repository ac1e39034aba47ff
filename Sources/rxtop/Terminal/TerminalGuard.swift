internal import CNcurses
internal import CTerminalGuard
internal import Glibc

/// Handles signals while the terminal is taken over.
///
/// Handlers restore the terminal on a trap and otherwise only set a flag that ``wait(until:)``
/// reads.
enum TerminalGuard {
  /// The event that ended a wait.
  enum Event {
    case input, inputClosed, resize, stop, resume
    /// Asked to end by this signal.
    case end(Int32)
  }

  /// Saves the terminal's modes and installs the handlers; to be called before ncurses begins.
  static func install() -> Bool { rxn_guard_install() }

  /// Builds the reset string from the terminal's description; to be called after ncurses began.
  static func arm() {
    for capability in ["sgr0", "rmkx", "cnorm", "rmcup"] { rxn_guard_append(tigetstr(capability)) }
    // Turns off mouse reports; a terminal without them ignores this.
    rxn_guard_append("\u{1B}[?1000l\u{1B}[?1006l")
    rxn_guard_arm()
  }

  /// Re-arms the guard when the terminal is taken over again.
  static func rearm() { rxn_guard_arm() }

  /// Restores the terminal without ncurses.
  static func reset() { rxn_guard_reset() }

  /// Restores the terminal, stops the process, and returns when it is continued.
  ///
  /// When a whole process group is stopped, the shell may take the terminal before it is restored
  /// here. That must not stop this process before it has restored the terminal.
  static func stopProcess(after restoreScreen: () -> Void) {
    rxn_guard_ignore_ttou(true)
    restoreScreen()
    reset()
    rxn_guard_ignore_ttou(false)
    rxn_guard_stop()
  }

  /// Ends the process as the signal would have.
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
