public import TraceReading

/// A record as a line of text.
public struct EventRow: Sendable, Identifiable {
  /// The position of the record in the trace.
  ///
  /// Findings refer to their evidence by this number.
  public var number: UInt64 = 0
  /// The time since the recording began.
  public var time = Duration.zero
  /// The time since the previous row; nil for the first.
  public var sincePrevious: Duration?
  /// What happened.
  public var kind = RecordKind.continuation
  /// For a value, its ordinal among the events of its subscription, counted from 1; for a timer
  /// that fired, the ordinal of this firing.
  ///
  /// Only the low 32 bits are recorded.
  public var ordinal: UInt32?
  /// The entity that the record is about.
  public var subject: EntityKey?
  /// `map@Feed.swift:81 #12`, or empty.
  public var subjectText = ""
  /// Further content: the value if values are recorded, `cancelled`, `holds 128`.
  public var text = ""
  /// The thread that wrote it; empty if unknown.
  public var thread = ""
  /// Whether it lies before the exact window (the stretch at the end of the trace in which no
  /// record is missing), so that records next to it may be missing.
  public var isPartial = false
  /// For the end of a subscription, what ended the subscription; nil if that is unknown.
  public var endCause: EndCause?
  /// The owner, operator or subscription that ended it.
  public var endedBy: EntityKey?
  /// The asynchronous backtrace of the code that ended it; 0 if that is unknown.
  public var chain: UInt32 = 0

  /// The line of code of its subject.
  package var site: UInt32?
  /// The number of the record that contains the description of its value.
  package var contentNumber: UInt64?

  /// In a ``Journey``, the number of hops (passages to scheduled work) since its first event.
  package var hopDepth = 0
  /// In a ``Journey``, whether it is the event in question.
  package var isQueriedEvent = false

  /// What identifies the row.
  public var id: UInt64 { number }

  /// An empty row.
  public init() {}

  /// What happened, with its ordinal: `next №8`.
  package var what: String {
    RecordSpec.of(kind).name + (ordinal.map { " №\($0)" } ?? "")
  }
}

/// A mark of the program or of the recorder.
public struct MarkRow: Sendable, Identifiable {
  /// What identifies the row.
  public var id = 0
  /// The time since the recording began.
  public var time = Duration.zero
  /// The name that the program gave it; empty for automatic marks.
  public var name = ""
  /// Who set it.
  public var kind = MarkKind.program
  /// Signals that existed.
  public var liveSignals: UInt64 = 0
  /// Subscriptions that had not ended.
  public var liveSubscriptions: UInt64 = 0
  /// Timers that had not ended.
  public var liveTimers: UInt64 = 0
  /// Bytes of the heap in use; nil if unknown.
  public var heapInUse: UInt64?
  /// Bytes of the process that were in memory; nil if unknown.
  public var residentSize: UInt64?

  /// An empty row.
  public init() {}
}
