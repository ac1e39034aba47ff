/// The contents of the file header (TraceFormat §2).
///
/// The records are in segments of 64 KiB. If none is free, the oldest is recycled, which means that
/// new records overwrite it. A stream first appends it to the tail of the file.
public struct TraceHeader: Sendable {
  /// The major version of the format.
  public var majorVersion: UInt16 = 0
  /// The minor version of the format.
  public var minorVersion: UInt16 = 0
  /// Whether the recording is being written.
  public var state: FileState = .starting
  /// How much is recorded now.
  public var level: TraceLevel = .off
  /// Where stacks are captured.
  public var stackMode: StackMode = .off
  /// The clock that ticks are read from.
  public var clock: ClockKind = .monotonic
  /// The processor architecture of the program.
  public var architecture: Architecture = .unknown
  /// The generation (a stretch of the trace that can be read without the earlier records) that is
  /// being written.
  public var generation: UInt64 = 0
  /// The highest generation of a recycled segment; 0 if none was recycled.
  public var recycledGeneration: UInt64 = 0
  /// The number of segments that were recycled.
  public var recycledSegments: UInt64 = 0
  /// The readings of the clocks when recording began.
  public var start = ClockReading()
  /// The readings of the clocks when a segment was last assigned, or when recording stopped.
  public var latest = ClockReading()
  /// The time at which recording was stopped, in ticks; nil while it continues, and after a crash.
  public var stopTicks: UInt64?
  /// How the process ended, if its signal handler or its parent process has stored that.
  public var ending: TraceEnding?
  /// The number of the recorded process.
  public var processID: Int32 = 0
  /// The effective user of the process.
  public var userID: UInt32 = 0
  /// When the process started, in the unit of `/proc/PID/stat`.
  public var processStart: UInt64 = 0
  /// The process namespace in which `processID` is valid.
  public var processNamespace: UInt64 = 0
  /// The boot identifier of the machine on which the process ran.
  public var bootID: (high: UInt64, low: UInt64) = (0, 0)
  /// The name of the program.
  public var programName = ""
  /// The path of the program's executable.
  public var executablePath = ""
  /// A remark by the recorder, for instance that it had to use another directory.
  public var note = ""
  /// The modules and files with levels of their own, in the syntax of `RXTRACE`, such as
  /// `events:Shop,graph:Noise.swift`; empty if there are none.
  public var places = ""
  /// The number of seconds that the ring was requested to cover; 0 if none was requested.
  public var lookBack: UInt32 = 0
  /// The number of low bits of an identifier that are the index of the slot.
  public var slotBits: UInt32 = 0
  /// The highest serial given to an entity.
  public var lastSerial: UInt64 = 0
  /// The epoch, which is a number rising from 1, of the segment that was assigned last.
  public var lastEpoch: UInt64 = 0
  /// The number of records dropped because no segment was available.
  public var lostRecords: UInt64 = 0
  /// The number of entries dropped for lack of room, by region.
  public var lost: [RegionKind: UInt64] = [:]
  /// The level in force when recording began, which may be higher than the requested one.
  public var startLevel: TraceLevel = .off
  /// The program's own level, which is below ``level`` while a lease raises the level.
  public var baseLevel: TraceLevel = .off
  /// The highest level that a lease (an inspector's request for a limited time) may request.
  public var maximumLevel: TraceLevel = .off
  /// How segments are kept.
  public var mode: RecordingMode = .ring
  /// The state of the tail of a stream.
  public var tailState: TailState = .none
  /// The `errno` of the error that ended the tail, or 0 if none did.
  public var tailError: Int32 = 0
  /// The `errno` of the error that stopped recording early, or 0 if none did.
  ///
  /// The program continued, and nothing is known about what it did from ``stopTicks`` on.
  public var stopError: Int32 = 0
  /// The maximum size of a stream's file in bytes; 0 if there is no limit.
  public var limit: UInt64 = 0
  /// The size of the file in bytes without the tail of a stream.
  public var fixedByteCount: UInt64 = 0
  /// The regions that exist in the file, as far as they can be read.
  public var regions: [RegionKind: TraceRegion] = [:]
  /// How the file is too short for its regions, as an unfinished copy is; nil if it is not.
  package var cut: FileCut?

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}

extension TraceHeader {
  /// Whether sites contain the traits of their operators; if not, the traits are determined by the
  /// operators' names.
  package var statesTraits: Bool { minorVersion >= 4 }
  /// Whether a signal's count of subscriptions includes those made by the program itself.
  package var countsRootsAtSignals: Bool { minorVersion < 5 }
}
