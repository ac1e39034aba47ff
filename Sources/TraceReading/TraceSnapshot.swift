/// All that a trace said at one time: tables, live entities and records.
///
/// A value; nothing in it changes when the file does, but for records that the file of a stream loses
/// (``TraceRecords``). `TraceReader/update(_:)` brings it up to date.
public struct TraceSnapshot: Sendable {
  /// The file it was read from.
  public var path = ""
  /// The header of the file.
  public var header = TraceHeader()
  /// The site table; index = row, row 0 stands for "unknown".
  public var sites: [TraceSite] = []
  /// The entities that have not been released, in the order of their slots.
  ///
  /// Read after the records: of a running process, they may be ahead of these.
  public var slots: [TraceSlot] = []
  /// Index = row, row 0 stands for "unknown".
  ///
  /// So it is in `threads` and `chains`.
  public var schedulers: [TraceScheduler] = []
  /// What stands between the parentheses of operators; index = number, number 0 stands for "unknown".
  public var arguments: [SignalArgument] = []
  /// The thread table; row 0 stands for "unknown".
  public var threads: [TraceThread] = []
  /// The hop chains; row 0 stands for "none".
  public var chains: [TraceChain] = []
  /// The return addresses where the signal came that ended the program, innermost first; empty where that is not known.
  public var crashStack: [UInt64] = []
  /// The executables and libraries, in the order of their rows.
  public var images: [TraceImage] = []
  /// The functions at return addresses, where they were added to the file after the recording: by rising
  /// address, and of one address from the innermost function outwards.
  public var symbols: [TraceSymbol] = []
  /// In the order of time.
  public var marks: [TraceMark] = []
  /// What the ring holds, by rising epoch.
  public var segments: [TraceSegment] = []
  /// In one order: by ticks, where these are equal work is scheduled before it begins, then by
  /// position.
  public var records = TraceRecords()
  /// The string heap; number 0 is the empty string.
  public var strings: [UInt32: String] = [:]
  /// What could not be read, and why.
  public var problems: [TraceError] = []
  /// The first of ``problems`` for which something is missing that no count tells of; nil where all is there, or counted.
  public var firstLoss: TraceError?
  /// What became of the process when this was read.
  public var processStatus = ProcessStatus.elsewhere
  /// Nanoseconds of one tick.
  ///
  /// Measured between the first and the latest reading of the clocks.
  public var nanosecondsPerTick = 1.0
  /// Records that were read once and dropped to keep within the reader's limit.
  public var droppedRecords: UInt64 = 0
  /// Segments that should be in the ring by their epoch and are not: cut away, wholly or in part, or with a
  /// header that cannot be.
  public var missingSegments: UInt64 = 0
  /// Segments that are there and in which something has been overwritten.
  public var damagedSegments: UInt64 = 0
  /// Entries of tables that were lost, wholly or in part: they read as zeros, which a recorder leaves in none that is in
  /// use.
  ///
  /// Of the heaps of strings and stacks, bytes; of the counts of marks, marks. Nothing of these is in the tables here.
  public var lostEntries: [RegionKind: UInt64] = [:]
  /// The first generation of which every record is known; nil if none is.
  public var firstExactGeneration: UInt64? = 1

  /// How far each segment has been read, by epoch.
  var cursors: [UInt64: SegmentReader.Cursor] = [:]
  /// The bytes of the slots.
  var slab = SlabImage()
  /// Bytes of the string heap that have been decoded.
  var decodedStringBytes = 0

  /// An empty snapshot, to be filled by hand.
  public init() {}

  /// The text of a string number: empty for 0, `?` for one that the file does not have.
  public func string(_ number: UInt32) -> String {
    number == 0 ? "" : strings[number] ?? "?"
  }

  /// What stands between the parentheses of the operator of a signal: unknown for 0, and for a number that the file does
  /// not have, as in one before version 1.5.
  public func argument(_ number: UInt32) -> SignalArgument {
    Int(number) < arguments.count ? arguments[Int(number)] : .unknown
  }

  // MARK: Time

  /// Nanoseconds from the beginning of the recording to `ticks`; negative before it.
  public func nanoseconds(from ticks: UInt64) -> Double {
    let start = header.start.ticks
    return ticks >= start
      ? Double(ticks - start) * nanosecondsPerTick : -Double(start - ticks) * nanosecondsPerTick
  }

  /// Nanoseconds since 1970 at `ticks`.
  public func realtime(of ticks: UInt64) -> UInt64 {
    let offset = Int64(clampingRounded: nanoseconds(from: ticks))
    let (time, overflow) = header.start.realtime.addingReportingOverflow(
      UInt64(bitPattern: offset)
    )
    // Adding a negative offset as its two's complement overflows exactly when the result is valid.
    return overflow == (offset < 0) ? time : (offset < 0 ? 0 : .max)
  }

  // MARK: What is known

  /// Whether the traced process was running when this was read.
  public var isProcessAlive: Bool { processStatus == .running }

  /// The first ticks from which on every event is known: the beginning of the recording, or of the
  /// first generation that has lost nothing to the ring.
  ///
  /// Nil if there is no such generation. Records the program itself could not write are counted in
  /// `header.lostRecords` and may be missing anywhere.
  public var exactFrom: UInt64? {
    guard let first = firstExactGeneration else { return nil }
    var ticks = header.start.ticks
    if first > 1 {
      let bases = segments.lazy.filter { $0.generation >= first }.map(\.baseTicks)
      guard let base = bases.min() else { return nil }
      ticks = base
    }
    // What was dropped to keep within the limit of the reader is not known any more either.
    if droppedRecords > 0 { ticks = max(ticks, records.first?.ticks ?? .max) }
    return ticks
  }

  /// Whether the record belongs to the exact window.
  ///
  /// More precise than comparing its ticks.
  public func isExact(_ record: TraceRecord) -> Bool {
    firstExactGeneration.map { record.generation >= $0 } ?? false
  }
}

extension Int64 {
  /// The nearest integer; the limits for what does not fit, zero for what is not a number.
  init(clampingRounded value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
