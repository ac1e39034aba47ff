/// What to record, and how much of it to keep.
public struct TraceOptions: Sendable, Hashable {
  /// The initial level.
  public var level: TraceLevel = .events
  /// Places of the source with a separate level, which applies whenever anything is recorded.
  ///
  /// If several places contain a line, the most specific one applies.
  ///
  /// The level of a line is decided once, when the line is first reached: neither ``Trace/level``
  /// nor an inspector changes it. It may be above ``maximumLevel``, which limits the overall level.
  /// If a place records events, all hops are recorded, so that it is known in which work the events
  /// were delivered. The description of a failure belongs to no place: it is recorded if the
  /// overall level is ``/TraceFormat/TraceLevel/values`` and no place has a lower level.
  public var places: [Place] = []
  /// How many bytes of records at the beginning of the recording include single events although the
  /// level is ``/TraceFormat/TraceLevel/graph``, so that short programs, and the start of long
  /// ones, are recorded completely.
  ///
  /// Nil means a quarter of ``size``, but at most 4 MiB; 0 means none. The bytes are counted in
  /// segments of the ring, so a little more may be recorded. If the program sets ``Trace/level``,
  /// that level applies at once instead. If ``maximumLevel`` does not allow events, no single
  /// events are recorded.
  public var startupSize: Int?
  /// The highest level to which an inspector may raise the recording.
  ///
  /// It also limits `Trace.level`. Values are recorded only if this maximum is
  /// ``/TraceFormat/TraceLevel/values``.
  public var maximumLevel: TraceLevel = .events
  /// Where asynchronous backtraces are captured: at hops (passages of work to another queue, thread
  /// or task), and for the program's own subscriptions.
  public var stacks: StackMode = .callers
  /// The hops that asynchronous backtraces follow.
  public var hops: HopScope = .all
  /// Bytes of the ring of records; the rest of the file scales with it.
  ///
  /// At least 256 KiB.
  public var size: Int = 64 << 20
  /// How many seconds the ring should cover; 0 if no time is requested.
  ///
  /// This does not change the size of the ring, because nothing is known about a program before it
  /// has run. If the ring turns out to cover less, screens of rxtop and a line on standard error at
  /// the end of the process say which ``size`` would be needed.
  public var lookBack: UInt32 = 0
  /// How segments are kept: a ring overwrites its oldest segments; a stream appends each segment to
  /// the file before the segment is overwritten.
  public var mode: RecordingMode = .ring
  /// The maximum size of a stream's file in bytes; 0 for no limit.
  ///
  /// When it is reached, recording continues as in a ring, and the trace says so.
  public var limit: Int = 0
  /// Whether the program writes a copy of its trace, as ``Trace/snapshot(to:)`` does, when it
  /// receives the signal `SIGUSR2`: next to the trace, as `<trace>-1.rxtrace` and so on.
  ///
  /// Ignored, with a line on standard error, in a program that handles that signal itself.
  public var snapshotsOnSignal = false
  /// Whether the trace records which signal ended the program, in which thread and when, if the
  /// signal means a crash: `SIGILL`, `SIGTRAP`, `SIGABRT`, `SIGBUS`, `SIGFPE`, `SIGSEGV` or
  /// `SIGSYS`.
  ///
  /// A handler records the signal, and leaves everything else to the previous handler, or to the
  /// system. If the program later installs its own handler, that replaces this one. Threads that
  /// record, or run work with a backtrace, get an alternate stack of 64 KiB (`sigaltstack`), unless
  /// they have one: a thread that has overflowed its stack has no room for the handler.
  /// `rxtop record` turns this on.
  public var recordsCrashes = false
  /// Whether a crash is also reported on standard error, as after ``Trace/reportCrashes()``.
  public var reportsCrashes = false
  /// How many files of earlier runs of this program to keep.
  ///
  /// Only recordings of this program, according to their contents, are removed.
  public var keep: Int = 8
  /// The file to write; nil for one named after the program in the directory for traces.
  ///
  /// An earlier trace there is replaced, unless a process is still writing it. The trace of a
  /// program that ran in this process before, and has replaced itself with this one (`execv`), is
  /// renamed to `<path>-<process>-0.rxtrace`, or to the next free number.
  public var path: String?

  /// The options of `RXTRACE=1`: level `events`, stacks at hops and of the callers of
  /// subscriptions, and a ring of 64 MiB.
  public init() {}

  /// The number of segments of the ring that are assigned before level `graph` leaves single events
  /// out.
  var startupSegments: UInt64 {
    guard level == .graph, maximumLevel >= .events else { return 0 }
    let bytes = startupSize ?? min(size / 4, 4 << 20)
    return UInt64(max(0, bytes) / Layout.Segment.size)
  }

  /// The level in force when recording begins.
  var firstLevel: TraceLevel { startupSegments > 0 ? .events : level }

  /// The same options, with a `maximumLevel` that allows the requested level.
  var consistent: TraceOptions {
    var options = self
    options.maximumLevel = max(level, maximumLevel)
    options.limit = max(limit, 0)
    return options
  }

  /// Reads the text of the environment variable `RXTRACE`.
  ///
  /// - Parameter text: `1`, a level, levels of places such as `events:Checkout.swift`, or
  ///   `key=value` pairs, separated by commas.
  /// - Returns: nil if the text requests no recording (`0`, `off`, or nothing).
  /// - Throws: ``/TraceFormat/TraceError`` with a sentence that names the key, what was found and
  ///   what is accepted.
  public static func parse(_ text: String) throws(TraceError) -> TraceOptions? {
    var parser = TraceOptionsParser()
    return try parser.parse(text)
  }
}
