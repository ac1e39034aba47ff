public import TraceReading

/// How a program ended that is not known to have ended as it should.
public enum ProgramEnding: Sendable, Equatable {
  /// A signal ended it that stands for a fault in it, as `SIGSEGV`.
  case crashed(TraceEnding)
  /// Somebody else ended it, by a signal as `SIGTERM` or `SIGKILL`.
  case terminated(TraceEnding)
  /// It exited with this status, and without stopping the recording, as by `_exit`.
  case exited(Int32)
  /// It ended without stopping the recording: killed or crashed.
  case unknown

  /// What a trace says of it; nil for a program that runs, that has stopped the recording in order, or of which
  /// nothing can be said.
  package init?(_ snapshot: TraceSnapshot) {
    guard snapshot.processStatus != .running else { return nil }
    if let ending = snapshot.header.ending, !Self.lived(on: ending, snapshot) {
      if case .exited(let status) = ending.cause {
        self = .exited(status)
      } else {
        self = ending.isCrash ? .crashed(ending) : .terminated(ending)
      }
    } else {
      guard snapshot.processStatus == .gone else { return nil }
      self = .unknown
    }
  }

  /// Whether the thread recorded something after the signal, which the program has survived, then.
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

  /// What ended it, as it is known to the trace; nil if it is not.
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
