public import TraceReading

/// What is known of the traced program and of the trace itself.
public struct ProgramInfo: Sendable {
  /// The program's name, unfiltered.
  public var name = ""
  /// In its own namespace.
  public var processID: Int32 = 0
  /// What has become of the process.
  public var status = ProgramStatus.stopped
  /// `process 4711 was ended by SIGKILL, 3 s ago; rxtop explain FILE crash shows what was under way`: the status as a sentence.
  public var statusText = ""
  /// How it ended, if not as it should: what ``status`` alone does not tell.
  public var ending: ProgramEnding?
  /// What is recorded now, of lines whose place has no level of its own.
  public var level = TraceLevel.off
  /// The highest level of lines whose place has its own; off where there are none.
  public var placeLevel = TraceLevel.off
  /// The places with a level of their own, as in `RXTRACE`: `events:Shop,graph:Noise.swift`; empty if there are none.
  public var places = ""
  /// Where the trace was read from.
  public var path = ""
  /// Nanoseconds since 1970 when recording began.
  public var startedAt: UInt64 = 0
  /// From the beginning of the recording to its latest sign of life.
  public var duration = Duration.zero
  /// Records that can be gone through: what going through them all costs.
  public var recordCount = 0
  /// The stretch at the end for which every record is there; nil if there is none.
  public var exactWindow: ClosedRange<Duration>?
  /// Seconds that the ring is wished to look back (`RXTRACE=keep=30s`), where it does for less; nil where it does, or nothing was wished.
  public var missedLookBack: UInt32?
  /// Bytes of the ring with which it would; nil also where none is large enough.
  public var sizeForLookBack: UInt64?
  /// `30 s would take size=160M`; nil where the ring looks back as far as was wished.
  public var reachText: String? {
    missedLookBack.map { RingEstimate.sentence(for: $0, sizeForLookBack) }
  }
  /// Whether anything that bears on verdicts is missing.
  ///
  /// ``losses`` says what.
  public var isIncomplete = false
  /// Where and why the recording, or its stream, ended before the program did; nil if it has not.
  public var earlyEnd: EarlyEndInfo?
  /// What the trace lost, a sentence each; that it ended early is the first.
  public var losses: [String] = []
  /// What the reader could not make sense of, a sentence each.
  public var problems: [String] = []
  /// What the recorder had to say about itself; empty if nothing.
  public var note = ""

  /// What is recorded now where most is.
  public var highestLevel: TraceLevel { level == .off ? .off : max(level, placeLevel) }

  /// `events`, or with places that have a level of their own, `events, graph:Noise.swift`; unfiltered.
  public var levelText: String { places.isEmpty ? "\(level)" : "\(level), \(places)" }

  /// Whether it ended otherwise than in order.
  public var hasDied: Bool {
    if case .gone = status { return true }
    return ending != nil
  }

  /// An unnamed program that has stopped.
  public init() {}
}

/// What has become of the traced process.
public enum ProgramStatus: Sendable, Equatable {
  /// It runs and may go on recording.
  case running
  /// It ended without stopping the recording. The time since is known only if it was seen ending.
  case gone(ago: Duration?)
  /// Recording was stopped in order.
  case stopped
  /// The trace is of another machine, boot or namespace, where nothing can be asked.
  case elsewhere
}

/// That the recording, or its stream, ended before the program did.
public struct EarlyEndInfo: Sendable, Equatable {
  /// Why it ended.
  public var cause: EarlyEnd.Cause
  /// The system's number of the error; nil where there was none, or it is not known.
  public var error: Int32?
  /// At about which time since the recording began; nil if that is not known.
  public var time: Duration?
  /// `the stream ends after about 3 s, because the disk was full: …`.
  public var sentence: String

  package init(_ end: EarlyEnd, time: Duration?) {
    (cause, error, self.time) = (end.cause, end.error, time)
    let place = time.map { " after about \($0.brief)" } ?? " early"
    let (what, rest) =
      switch end.cause {
      case .limitReached, .streamFailed:
        ("stream", "of what came after, no more is there than the ring still had")
      case .recordingStopped:
        ("recording", "the program went on, and nothing is known of what it did from then on")
      }
    sentence = "the \(what) ends\(place), because \(end.reason): \(rest)"
  }

  /// Whether it is all of the recording that ended, and not only its stream.
  var isOfTheWhole: Bool {
    if case .recordingStopped = cause { return true }
    return false
  }
}

/// The instant an inspection shows.
public struct InstantInfo: Sendable, Equatable {
  /// Since the recording began.
  public var time = Duration.zero
  /// The last event before or at it; nil before the first.
  public var event: UInt64?
  /// Whether it is the newest there is: what "live" and the end of a file have in common.
  public var isEnd = true
  /// Whether every record of the time around it is there; if not, much is unknown.
  public var isExact = true

  /// The end of the trace.
  public init() {}
}
