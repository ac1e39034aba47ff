/// The contents of the file header (TraceFormat §2).
public struct TraceHeader: Sendable {
  /// The major version of the format.
  public var majorVersion: UInt16 = 0
  /// The minor version of the format.
  public var minorVersion: UInt16 = 0
  /// Whether the trace is being written.
  public var state: FileState = .starting
  /// How much is recorded now.
  public var level: TraceLevel = .off
  /// Where stacks are captured.
  public var stackMode: StackMode = .off
  /// What ticks are.
  public var clock: ClockKind = .monotonic
  /// The processor of the program.
  public var architecture: Architecture = .unknown
  /// The generation being written, and the highest one that lost a segment to the ring (0: none).
  public var generation: UInt64 = 0
  /// The highest generation that lost a segment to the ring; 0 if none did.
  public var recycledGeneration: UInt64 = 0
  /// Segments that were recycled.
  public var recycledSegments: UInt64 = 0
  /// The clocks when recording began.
  public var start = ClockReading()
  /// The clocks when a segment was handed out last, or when recording stopped.
  public var latest = ClockReading()
  /// Ticks when recording stopped in order; nil while it runs and after a crash.
  public var stopTicks: UInt64?
  /// How the process ended, where a handler of signals in it or its parent has said so.
  public var ending: TraceEnding?
  /// The process that recorded.
  public var processID: Int32 = 0
  /// Its user.
  public var userID: UInt32 = 0
  /// When it started, in the unit of `/proc/PID/stat`.
  public var processStart: UInt64 = 0
  /// The namespace its number belongs to.
  public var processNamespace: UInt64 = 0
  /// The boot of the machine it ran on.
  public var bootID: (high: UInt64, low: UInt64) = (0, 0)
  /// The name of the program.
  public var programName = ""
  /// Where its executable was.
  public var executablePath = ""
  /// What the recorder has to say about itself, for instance that it had to use another directory.
  public var note = ""
  /// The places with a level of their own, as in `RXTRACE`: `events:Shop,graph:Noise.swift`; empty if there are none.
  public var places = ""
  /// Seconds that the ring is wished to look back; 0 where nothing was wished.
  public var lookBack: UInt32 = 0
  /// Bits of an identifier that are the slot.
  public var slotBits: UInt32 = 0
  /// The highest serial given to an entity.
  public var lastSerial: UInt64 = 0
  /// The epoch of the segment that was handed out last.
  public var lastEpoch: UInt64 = 0
  /// Records dropped because no segment could be had.
  public var lostRecords: UInt64 = 0
  /// Entries each region had no room for.
  public var lost: [RegionKind: UInt64] = [:]
  /// How much was asked for when recording began.
  public var startLevel: TraceLevel = .off
  /// How much the program itself asks for: less than ``level`` while somebody has a lease.
  public var baseLevel: TraceLevel = .off
  /// How much it allows to be asked for by a lease.
  public var maximumLevel: TraceLevel = .off
  /// How segments are kept.
  public var mode: RecordingMode = .ring
  /// What became of the tail of a stream.
  public var tailState: TailState = .none
  /// The system's number of the error that ended the tail, or 0.
  public var tailError: Int32 = 0
  /// The system's number of the error that stopped recording before its time, or 0.
  ///
  /// The program went on, and nothing is known of what it did from ``stopTicks`` on.
  public var stopError: Int32 = 0
  /// The most bytes the file of a stream may have; 0 if there is no limit.
  public var limit: UInt64 = 0
  /// Bytes of the file with room for all regions, without the tail of a stream.
  public var fixedByteCount: UInt64 = 0
  /// The regions that exist in the file, as far as they can be read.
  public var regions: [RegionKind: TraceRegion] = [:]

  /// An empty value, to be filled by hand.
  public init() {}
}

extension TraceHeader {
  /// Whether sites say what their operators do; if not, it follows from their names.
  package var statesTraits: Bool { minorVersion >= 4 }
  /// Whether what a signal has of subscriptions includes the program's own.
  package var countsRootsAtSignals: Bool { minorVersion < 5 }
}
