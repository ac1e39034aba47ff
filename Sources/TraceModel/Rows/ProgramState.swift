package import TraceReading

/// What became of a program, in the one word that titles, lists and reports use for it.
package enum ProgramState: String, Sendable {
  /// It runs, and may be recording.
  case running
  /// The recording was stopped in order.
  case ended
  /// It was killed, or ended without stopping the recording, and is not known to have crashed.
  case died
  /// A signal ended it that stands for a fault in it.
  case crashed
  /// It ran where nothing can be asked, and nothing is known of its end.
  case elsewhere

  /// The state of a process.
  ///
  /// - Parameters:
  ///   - process: What the system says of it.
  ///   - isCrash: Whether the end that the trace notes was a crash; nil where it notes none.
  package init(_ process: ProcessStatus, isCrash: Bool?) {
    self =
      switch (process, isCrash) {
      case (.running, _): .running
      case (_, true?): .crashed
      case (_, false?), (.gone, nil): .died
      case (.stopped, nil): .ended
      case (.elsewhere, nil): .elsewhere
      }
  }
}

extension ProgramInfo {
  /// What became of it, as the start screen and `rxtop ls` say it, too.
  package var state: ProgramState {
    let process: ProcessStatus =
      switch status {
      case .running: .running
      case .gone: .gone
      case .stopped: .stopped
      case .elsewhere: .elsewhere
      }
    return ProgramState(process, isCrash: ending?.isCrash)
  }
}
