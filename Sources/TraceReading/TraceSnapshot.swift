/// The contents of a trace at one time: tables, live entities and records.
///
/// It is a value type: nothing in it changes when the file changes, except that records may be
/// missing if the file of a stream loses them (``TraceRecords``). `TraceReader/update(_:)` updates
/// it.
public struct TraceSnapshot: Sendable {
  /// The file it was read from.
  public var path = ""
  /// The header of the file.
  public var header = TraceHeader()
  /// The sites (operators at lines of code), indexed by row; row 0 means "unknown".
  public var sites: [TraceSite] = []
  /// The entities that have not been released, ordered by slot.
  ///
  /// They are read after the records, so in a running process they may be newer than the records.
  public var slots: [TraceSlot] = []
  /// The scheduler table, indexed by row; row 0 means "unknown".
  public var schedulers: [TraceScheduler] = []
  /// The arguments of operators, indexed by number; number 0 means "unknown".
  public var arguments: [SignalArgument] = []
  /// The thread table, indexed by row; row 0 means "unknown".
  public var threads: [TraceThread] = []
  /// The chains (asynchronous backtraces), indexed by row; row 0 means "none".
  public var chains: [TraceChain] = []
  /// The return addresses at the point where a signal ended the program, innermost first; empty if
  /// they are not known.
  public var crashStack: [UInt64] = []
  /// The loaded executables and libraries, in the order of their rows.
  public var images: [TraceImage] = []
  /// The functions at return addresses, if they were added to the file after the recording: in
  /// ascending order of addresses, and for one address from the innermost function outwards.
  public var symbols: [TraceSymbol] = []
  /// The marks, which are instants with the live count of every site, in order of time.
  public var marks: [TraceMark] = []
  /// The segments, each of which holds up to 64 KiB of records, in ascending order of their epochs,
  /// which number them.
  public var segments: [TraceSegment] = []
  /// The records, in the order that ``TraceRecords`` describes.
  public var records = TraceRecords()
  /// The string heap; number 0 is the empty string.
  public var strings: [UInt32: String] = [:]
  /// What could not be read, and why.
  public var problems: [TraceError] = []
  /// The first of ``problems`` that indicates a loss which no counter includes; nil if there is no
  /// such loss.
  public var firstLoss: TraceError?
  /// Whether the process was running when this was read, as far as that could be determined.
  public var processStatus = ProcessStatus.elsewhere
  /// The number of nanoseconds per tick.
  ///
  /// Measured between the first and the latest reading of the clocks.
  public var nanosecondsPerTick = 1.0
  /// The number of records that were left out, or dropped after they were read, to stay within the
  /// reader's limit.
  public var droppedRecords: UInt64 = 0
  /// The number of segments that should be in the file according to their epochs but are not,
  /// because they were cut off, at least in part, or have an invalid header.
  public var missingSegments: UInt64 = 0
  /// The number of segments that are in the file, but have been overwritten in part.
  public var damagedSegments: UInt64 = 0
  /// The number of table entries that were lost, at least in part: they read as zeros, which a
  /// recorder never leaves in an entry in use.
  ///
  /// For the heaps of strings and stacks, it is the number of bytes; for the counts of marks, the
  /// number of marks concerned. The tables of this snapshot do not contain any lost entries.
  public var lostEntries: [RegionKind: UInt64] = [:]
  /// The first generation from which on every record is known; nil if there is none.
  ///
  /// A generation is a stretch of the trace that can be read without the earlier records.
  public var firstExactGeneration: UInt64? = 1

  /// How far each segment has been read, by epoch.
  var cursors: [UInt64: SegmentReader.Cursor] = [:]
  /// The bytes of the slots as they were read.
  var slab = SlabImage()
  /// The number of bytes of the string heap that have been decoded.
  var decodedStringBytes = 0

  /// Creates an empty snapshot, to be filled in by the caller.
  public init() {}

  /// The string with a number: empty for 0, `?` if the file has no such string.
  public func string(_ number: UInt32) -> String {
    number == 0 ? "" : strings[number] ?? "?"
  }

  /// The argument with a number: unknown for 0, and if the file has no such argument, as before
  /// version 1.5.
  public func argument(_ number: UInt32) -> SignalArgument {
    Int(number) < arguments.count ? arguments[Int(number)] : .unknown
  }

  // MARK: Time

  /// The number of nanoseconds from the beginning of the recording to `ticks`; negative if `ticks`
  /// is before the beginning.
  public func nanoseconds(from ticks: UInt64) -> Double {
    let start = header.start.ticks
    return ticks >= start
      ? Double(ticks - start) * nanosecondsPerTick : -Double(start - ticks) * nanosecondsPerTick
  }

  /// Nanoseconds since 1970 at `ticks`.
  public func realtime(of ticks: UInt64) -> UInt64 {
    let offset = Int64(clampingRounded: nanoseconds(from: ticks))
    let (time, overflow) = header.start.realtime.addingReportingOverflow(UInt64(bitPattern: offset))
    // Adding a negative offset as its two's complement overflows exactly when the result is valid.
    return overflow == (offset < 0) ? time : (offset < 0 ? 0 : .max)
  }

  // MARK: The exact window

  /// Whether the traced process was running when this was read.
  public var isProcessAlive: Bool { processStatus == .running }

  /// The time in ticks from which every event is known: the beginning of the recording, or of the
  /// first generation from which on nothing was overwritten or lost.
  ///
  /// Nil if there is no such generation. Records that the program could not write may be missing
  /// anywhere; they are counted in `header.lostRecords`.
  public var exactFrom: UInt64? {
    guard let first = firstExactGeneration else { return nil }
    var ticks = header.start.ticks
    if first > 1 {
      let bases = segments.lazy.filter { $0.generation >= first }.map(\.baseTicks)
      guard let base = bases.min() else { return nil }
      ticks = base
    }
    // Records that were dropped to stay within the reader's limit are no longer known either.
    if droppedRecords > 0 { ticks = max(ticks, records.first?.ticks ?? .max) }
    return ticks
  }

  /// Whether the record belongs to the exact window, the last part of the trace, of which every
  /// record is known.
  ///
  /// This is more precise than comparing its ticks with ``exactFrom``.
  public func isExact(_ record: TraceRecord) -> Bool {
    firstExactGeneration.map { record.generation >= $0 } ?? false
  }
}

extension Int64 {
  /// The nearest integer; the minimum or maximum for a value that does not fit, and zero for NaN.
  init(clampingRounded value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
