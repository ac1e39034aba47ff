internal import CNcurses
internal import CTerminalGuard
internal import Glibc

/// Signals while the terminal is taken over.
///
/// Handlers restore the terminal at a trap and otherwise only take a note that ``wait(until:)`` reads.
enum TerminalGuard {
  /// What a wait ended with.
  enum Event {
    case input, inputGone, resize, stop, resume
    /// Asked to end by this signal.
    case end(Int32)
  }

  /// Remembers the terminal's modes and installs the handlers; to be called before ncurses begins.
  static func install() -> Bool { rxn_guard_install() }

  /// Builds the reset string from the terminal's description; to be called after ncurses began.
  static func arm() {
    for capability in ["sgr0", "rmkx", "cnorm", "rmcup"] { rxn_guard_append(tigetstr(capability)) }
    // No more reports of the mouse; a terminal that has none ignores it.
    rxn_guard_append("\u{1B}[?1000l\u{1B}[?1006l")
    rxn_guard_arm()
  }

  /// The terminal is ours again.
  static func rearm() { rxn_guard_arm() }

  /// Puts the terminal back without ncurses.
  static func reset() { rxn_guard_reset() }

  /// Puts the terminal back, stops the process, and returns when it is continued.
  ///
  /// Where a whole group of processes is stopped, the shell may have the terminal before we give it
  /// back: that must not stop us half-way.
  static func stopProcess(after giveBack: () -> Void) {
    rxn_guard_yield(true)
    giveBack()
    reset()
    rxn_guard_yield(false)
    rxn_guard_stop()
  }

  /// Ends the process as the signal would have.
  static func endProcess(by signal: Int32) { rxn_guard_end_by(signal) }

  /// Waits for something to do; nil when the time is over.
  static func wait(until deadline: ContinuousClock.Instant) -> Event? {
    let left = ContinuousClock.now.duration(to: deadline)
    let milliseconds =
      left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
    let answer = rxn_guard_wait(Int32(clamping: max(0, milliseconds + (left > .zero ? 1 : 0))))
    if answer & 2 != 0, let event = noted() { return event }
    if answer & 1 != 0 { return rxn_bytes_waiting() > 0 ? .input : .inputGone }
    return answer & 4 != 0 ? .inputGone : nil
  }

  private static func noted() -> Event? {
    switch rxn_guard_next() {
    case 0: nil
    case SIGWINCH: .resize
    case SIGTSTP: .stop
    case SIGCONT: .resume
    case let signal: .end(signal)
    }
  }
}
