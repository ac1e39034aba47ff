public import TraceReading

/// How a program ended, if it is not known to have ended normally.
public enum ProgramEnding: Sendable, Equatable {
  /// It was ended by a signal that indicates a fault in the program, such as `SIGSEGV`.
  case crashed(TraceEnding)
  /// It was ended from outside by a signal such as `SIGTERM` or `SIGKILL`.
  case terminated(TraceEnding)
  /// It exited with this status without stopping the recording, for example by `_exit`.
  case exited(Int32)
  /// It ended without stopping the recording: it was killed or crashed.
  case unknown

  /// The ending according to a trace; nil for a program that is running, that has stopped the
  /// recording normally, or of which nothing is known.
  package init?(_ snapshot: TraceSnapshot) {
    guard snapshot.processStatus != .running else { return nil }
    if let ending = snapshot.header.ending, !Self.lived(on: ending, snapshot) {
      if case .exited(let status) = ending.cause {
        self = .exited(status)
      } else {
        self = ending.isCrash ? .crashed(ending) : .terminated(ending)
      }
    } else {
      guard snapshot.processStatus == .died else { return nil }
      self = .unknown
    }
  }

  /// Whether the thread recorded something after the signal, which means that the program has
  /// survived it.
  private static func lived(on ending: TraceEnding, _ snapshot: TraceSnapshot) -> Bool {
    guard let ticks = ending.ticks, ending.thread != 0 else { return false }
    let records = snapshot.records
    return records[records.count(before: ticks)...].contains {
      $0.thread == ending.thread && $0.ticks > ticks
    }
  }

  /// Whether the program crashed.
  public var isCrash: Bool {
    if case .crashed = self { return true }
    return false
  }

  /// The recorded ending; nil if there is none.
  public var ending: TraceEnding? {
    switch self {
    case .crashed(let ending), .terminated(let ending): ending
    case .exited(let status): TraceEnding(.exited(status))
    case .unknown: nil
    }
  }

  /// `crashed (SIGSEGV)`, `was ended by SIGTERM`, `crashed or was killed`.
  public var words: String {
    switch self {
    case .crashed(let ending): "crashed (\(ending.signalName ?? "?"))"
    case .terminated(let ending): "was ended by \(ending.signalName ?? "?")"
    case .exited(let status): "exited with status \(status) without stopping the recording"
    case .unknown: "crashed or was killed"
    }
  }
}
