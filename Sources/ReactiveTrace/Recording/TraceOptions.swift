/// What to record, and how much of it to keep.
public struct TraceOptions: Sendable, Hashable {
  /// How much is recorded to begin with.
  public var level: TraceLevel = .events
  /// Places of the source with a level of their own, which applies wherever anything is recorded; of those that have a line, the most
  /// specific counts.
  ///
  /// The level is decided once, where a line is met first: neither ``Trace/level`` nor an inspector changes it. It may be above
  /// ``maximumLevel``, which is about the whole. Where a place records events, all hops are recorded, so that it is known what they ran in.
  /// The description of a failure is of no place: it is recorded where the whole has level ``/TraceFormat/TraceLevel/values``, and no
  /// place less.
  public var places: [Place] = []
  /// Bytes of records from the beginning in which level ``/TraceFormat/TraceLevel/graph`` holds single events too, so that short programs, and
  /// the start of long ones, are recorded whole.
  ///
  /// Nil for a quarter of ``size``, and no more than 4 MiB; 0 for none. It is counted in segments of the ring, so that a little more may be
  /// recorded. It ends at once where the program sets ``Trace/level``, and there is none where ``maximumLevel`` does not allow for events.
  public var startupSize: Int?
  /// The highest level that an inspector may raise the recording to.
  ///
  /// `Trace.level` stays below it, too. Values are recorded only where it is ``/TraceFormat/TraceLevel/values``.
  public var maximumLevel: TraceLevel = .events
  /// Where asynchronous backtraces are captured.
  public var stacks: StackMode = .callers
  /// Over which hops asynchronous backtraces lead.
  public var hops: HopScope = .all
  /// Bytes of the ring of records; the rest of the file scales with it.
  ///
  /// At least 256 KiB.
  public var size: Int = 64 << 20
  /// Seconds that the ring is wished to look back; 0 for no wish.
  ///
  /// Nothing is known of a program before it has run, so that this changes no size: where the ring turns out to look back for less, screens of rxtop
  /// and a line on standard error at the end of the process say which ``size`` the wish would take.
  public var lookBack: UInt32 = 0
  /// How segments are kept: those of a ring replace the oldest, those of a stream are appended to the file
  /// before.
  public var mode: RecordingMode = .ring
  /// The most bytes the file of a stream may have; 0 for no limit.
  ///
  /// When it is reached, recording goes on as in a ring, and the trace says so.
  public var limit: Int = 0
  /// Whether the program writes a copy of its trace, as ``Trace/snapshot(to:)``, when it gets the signal
  /// `SIGUSR2`: beside the trace, as `<trace>-1.rxtrace` and so on.
  ///
  /// Ignored, with a line on standard error, in a program that handles that signal itself.
  public var snapshotsOnSignal = false
  /// Whether the trace tells which signal ended the program, in which thread and when, where that is one by which
  /// programs crash: `SIGILL`, `SIGTRAP`, `SIGABRT`, `SIGBUS`, `SIGFPE`, `SIGSEGV` or `SIGSYS`.
  ///
  /// A handler notes it and leaves the rest to the one that was there before, or to the system. One that the program
  /// installs later replaces it. Threads that record, or run work with a backtrace, get 64 KiB for it (`sigaltstack`), unless they
  /// have such a stack: one that has overflowed has no room for it. `rxtop record` asks for it.
  public var recordsCrashes = false
  /// Whether a crash is said on standard error, too, as after ``Trace/reportCrashes()``.
  public var reportsCrashes = false
  /// How many files of earlier runs of this program to keep.
  ///
  /// Nothing is removed but recordings of this program, by what stands in them.
  public var keep: Int = 8
  /// The file to write; nil for one named after the program in the directory for traces.
  ///
  /// An earlier trace there is replaced, unless somebody writes it. That of an earlier run of the same process, which has replaced
  /// itself by this one (`execv`), is put aside as `<path>-<process>-0.rxtrace`, or with the next free number.
  public var path: String?

  /// What `RXTRACE=1` stands for: events with the stacks of hops and of who subscribes, in a ring of 64 MiB.
  public init() {}

  /// Segments of the ring that are handed out before level graph leaves single events out.
  var startupSegments: UInt64 {
    guard level == .graph, maximumLevel >= .events else { return 0 }
    let bytes = startupSize ?? min(size / 4, 4 << 20)
    return UInt64(max(0, bytes) / Layout.Segment.size)
  }

  /// The level in force when recording begins.
  var firstLevel: TraceLevel { startupSegments > 0 ? .events : level }

  /// The same, with a `maximumLevel` that allows the level asked for.
  var consistent: TraceOptions {
    var options = self
    options.maximumLevel = max(level, maximumLevel)
    return options
  }

  /// Reads the text of the environment variable `RXTRACE`.
  ///
  /// - Parameter text: `1`, a level, levels of places as `events:Checkout.swift`, or `key=value` pairs, separated by commas.
  /// - Returns: nil if the text asks for no recording (`0`, `off`, or nothing).
  /// - Throws: ``/TraceFormat/TraceError`` with a sentence that names the key, what was found and what is accepted.
  public static func parse(_ text: String) throws(TraceError) -> TraceOptions? {
    var parser = TraceOptionsParser()
    return try parser.parse(text)
  }
}
