public import TraceReading

/// What is known about the traced program and about the trace itself.
public struct ProgramInfo: Sendable {
  /// The program's name, as recorded.
  public var name = ""
  /// The process identifier in the process's own namespace.
  public var processID: Int32 = 0
  /// The status of the process.
  public var status = ProgramStatus.stopped
  /// The status as a sentence: `process 4711 was ended by SIGKILL, 3 s ago; rxtop explain FILE
  /// crash shows what was under way`.
  public var statusText = ""
  /// How the program ended, if it did not end normally, which ``status`` alone does not show.
  public var ending: ProgramEnding?
  /// The current level of recording, which applies to all lines except those whose module or file
  /// has a level of its own.
  public var level = TraceLevel.off
  /// The highest level of lines whose module or file has a level of its own; off if there are none.
  public var placeLevel = TraceLevel.off
  /// The modules and files with levels of their own, in the syntax of `RXTRACE`, such as
  /// `events:Shop,graph:Noise.swift`; empty if there are none.
  public var places = ""
  /// Where the trace was read from.
  public var path = ""
  /// The time at which the recording began, in nanoseconds since 1970.
  public var startedAt: UInt64 = 0
  /// The time from the beginning of the recording to the latest sign of life of the program.
  public var duration = Duration.zero
  /// The number of records that can be read, which determines the cost of reading them all.
  public var recordCount = 0
  /// The stretch at the end in which no record is missing; nil if there is none.
  public var exactWindow: ClosedRange<Duration>?
  /// Which events ``exactWindow`` contains.
  package var parts = RecordedParts()
  /// The number of seconds that the ring (the part of the file in which new records overwrite the
  /// oldest) was requested to look back (`RXTRACE=keep=30s`), if it does not reach that far; nil if
  /// it does, or if nothing was requested.
  public var missedLookBack: UInt32?
  /// The size of the ring in bytes that would suffice; nil if nothing is missed, or if no size
  /// would suffice.
  public var sizeForLookBack: UInt64?
  /// `30 s would take size=160M`; nil if the ring looks back as far as requested.
  public var reachText: String? {
    missedLookBack.map { RingEstimate.sentence(for: $0, sizeForLookBack) }
  }
  /// What is there: `every event of the last 14 s is there`, or, at level `graph`, `lifetimes of
  /// the last 14 s are there, single events only of the first 140 ms`; nil if there is no
  /// ``exactWindow``.
  package var partsText: String? { exactWindow.map(parts.sentence) }
  /// Whether anything on which findings depend is missing from the trace.
  ///
  /// ``losses`` lists the missing parts.
  public var isIncomplete = false
  /// Where and why the recording, or its stream (which appends full segments to the file), ended
  /// before the program did; nil if it did not.
  public var earlyEnd: EarlyEndInfo?
  /// What the trace lost, one sentence each; an early end is the first.
  public var losses: [String] = []
  /// What the reader could not interpret, one sentence each.
  public var problems: [String] = []
  /// The one of ``problems`` that ``losses`` already quotes; nil if there is none.
  package var quotedProblem: String?
  /// Whether the file ends before its tables do, which ``losses`` says in words.
  package var isCut = false
  /// The ``problems`` without the one that ``losses`` already quotes.
  package var furtherProblems: [String] { problems.filter { $0 != quotedProblem } }
  /// A message of the recorder about itself; empty if there is none.
  public var note = ""

  /// The highest level at which anything is recorded now.
  public var highestLevel: TraceLevel { level == .off ? .off : max(level, placeLevel) }

  /// `events`, or, if modules or files have levels of their own, `events, graph:Noise.swift`; as
  /// recorded.
  public var levelText: String { places.isEmpty ? "\(level)" : "\(level), \(places)" }

  /// Whether the program is known not to have ended normally: it died, crashed, or exited without
  /// stopping the recording.
  public var hasDied: Bool {
    if case .died = status { return true }
    return ending != nil
  }

  /// An unnamed program that has stopped.
  public init() {}
}

/// The status of the traced process.
public enum ProgramStatus: Sendable, Equatable {
  /// It is running and may continue to record.
  case running
  /// It ended without stopping the recording. The time since then is known only if its end was
  /// observed.
  case died(ago: Duration?)
  /// Recording was stopped normally.
  case stopped
  /// The trace is from another machine, boot or namespace, so that the process cannot be examined.
  case elsewhere
}

/// An end of the recording, or of its stream (which appends full segments to the file), before the
/// end of the program.
public struct EarlyEndInfo: Sendable, Equatable {
  /// Why it ended.
  public var cause: EarlyEnd.Cause
  /// The `errno` of the error; nil if there was none, or it is not known.
  public var error: Int32?
  /// The approximate time since the recording began; nil if that is not known.
  public var time: Duration?
  /// `the stream ends after about 3 s, because the disk was full: …`.
  public var sentence: String

  package init(_ end: EarlyEnd, time: Duration?) {
    (cause, error, self.time) = (end.cause, end.error, time)
    let place = time.map { " after about \($0.brief)" } ?? " early"
    let (what, rest) =
      switch end.cause {
      case .limitReached, .streamFailed:
        ("stream", "of what came after, only what the ring still held is there")
      case .recordingStopped:
        ("recording", "the program went on, and nothing is known of what it did from then on")
      }
    sentence = "the \(what) ends\(place), because \(end.reason): \(rest)"
  }

  /// Whether the whole recording ended, not only its stream.
  var isOfTheWhole: Bool {
    if case .recordingStopped = cause { return true }
    return false
  }
}

/// The instant that an inspection shows.
public struct InstantInfo: Sendable, Equatable {
  /// The time since the recording began.
  public var time = Duration.zero
  /// The last event before or at the instant; nil if there is none.
  public var event: UInt64?
  /// Whether it is the newest state: true for a live program and at the end of a file.
  public var isEnd = true
  /// Whether no record of the time around it is missing; otherwise, much is unknown.
  public var isExact = true

  /// The end of the trace.
  public init() {}
}
