package import TraceReading

/// What happened to a program, in the one word that titles, lists and reports use for it.
package enum ProgramState: String, Sendable {
  /// It is running, and may be recording.
  case running
  /// The recording was stopped normally.
  case ended
  /// It was killed, or ended without stopping the recording, and is not known to have crashed.
  case died
  /// It was ended by a signal that indicates a fault in the program.
  case crashed
  /// It ran on a system that cannot be examined, and nothing is known of its end.
  case elsewhere

  /// The state of a process.
  ///
  /// - Parameters:
  ///   - process: The status according to the system.
  ///   - isCrash: Whether the end recorded in the trace was a crash; nil if none is recorded.
  package init(_ process: ProcessStatus, isCrash: Bool?) {
    self =
      switch (process, isCrash) {
      case (.running, _): .running
      case (_, true?): .crashed
      case (_, false?), (.died, nil): .died
      case (.stopped, nil): .ended
      case (.elsewhere, nil): .elsewhere
      }
  }
}

extension ProgramInfo {
  /// Its state, in the words of the start screen and `rxtop ls`.
  package var state: ProgramState {
    let process: ProcessStatus =
      switch status {
      case .running: .running
      case .died: .died
      case .stopped: .stopped
      case .elsewhere: .elsewhere
      }
    return ProgramState(process, isCrash: ending?.isCrash)
  }
}
