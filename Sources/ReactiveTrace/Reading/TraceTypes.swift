/// The identifier of an entity in records and slots: slot index in the low bits, incarnation above.
///
/// Unique among what is alive; reused slots carry another incarnation. Zero stands for "none", and for
/// entities made while nothing was recorded.
@frozen
public struct TraceID: Hashable, Sendable {
  /// The 32 bits as they stand in the file.
  public let rawValue: UInt32

  /// The identifier with these bits.
  @inlinable @inline(__always)
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  // Written out: the synthesised one cannot be inlined into other modules, and stands on the event path.
  /// Whether both stand for the same entity.
  @inlinable @inline(__always)
  public static func == (left: TraceID, right: TraceID) -> Bool { left.rawValue == right.rawValue }

  /// No entity, or one that is not traced.
  @inlinable @inline(__always)
  public static var none: TraceID { TraceID(rawValue: 0) }
}

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

/// Three clocks read together.
public struct ClockReading: Sendable, Equatable {
  /// What records are stamped with.
  public var ticks: UInt64 = 0
  /// Nanoseconds of the monotonic clock.
  public var monotonic: UInt64 = 0
  /// Nanoseconds since 1970.
  public var realtime: UInt64 = 0

  /// A reading of these times.
  public init(ticks: UInt64 = 0, monotonic: UInt64 = 0, realtime: UInt64 = 0) {
    self.ticks = ticks
    self.monotonic = monotonic
    self.realtime = realtime
  }
}

/// One decoded row of the site table.
public struct TraceSite: Sendable {
  /// Row in the table; what slots and records refer to.
  public var index: UInt32 = 0
  /// The operator's name, as `map` or `take(until:)`.
  public var name = ""
  /// `#fileID`: module, slash, file name.
  public var file = ""
  /// The line of the call.
  public var line: UInt32 = 0
  /// Its column.
  public var column: UInt32 = 0
  /// What is known of the operator.
  public var traits: SiteTraits = []
  /// Signals made here.
  public var signalsCreated: UInt64 = 0
  /// Those of them that were released.
  public var signalsReleased: UInt64 = 0
  /// Subscriptions begun.
  public var subscribed: UInt64 = 0
  /// Ended subscriptions, indexed by the raw value of ``EndReason``.
  public var ended: [UInt64] = []
  /// Subscriptions released.
  public var released: UInt64 = 0
  /// Events of released subscriptions.
  public var eventsOfReleased: UInt64 = 0
  /// Events dropped after disposal or termination.
  public var refused: UInt64 = 0
  /// Disposables released while their subscription lived.
  public var disposablesReleased: UInt64 = 0
  /// Timers armed.
  public var timersArmed: UInt64 = 0
  /// Timers ended.
  public var timersEnded: UInt64 = 0
  /// Fires of all timers.
  public var timerFires: UInt64 = 0
  /// Owners made here that got a first subscription; traces of version 1.0 do not say.
  public var ownersCreated: UInt64 = 0
  /// Those of them that ended.
  public var ownersEnded: UInt64 = 0
  /// The smallest number of live subscriptions since the last mark.
  public var minimumLive: UInt32 = 0
  /// Completed lifetimes per power of two of nanoseconds.
  public var lifetimes: [UInt32] = []

  /// An empty value, to be filled by hand.
  public init() {}

  /// Subscriptions that have not ended.
  public var live: UInt64 {
    let over = ended.reduce(0, &+)
    return subscribed > over ? subscribed - over : 0
  }
}

/// One decoded slot of the slab: an entity that has not been released.
public struct TraceSlot: Sendable {
  /// The identifier of the entity.
  public var id = TraceID.none
  /// Unique over all entities of the recording.
  public var serial: UInt64 = 0
  /// What it is.
  public var kind: EntityKind = .none
  /// What it is doing.
  public var state: EntityState = .created
  /// Ticks.
  public var createdAt: UInt64 = 0
  /// Ticks of the last event; 0 if there was none.
  public var lastEventAt: UInt64 = 0
  /// Events of a subscription, fires of a timer, subscriptions of a signal.
  public var eventCount: UInt64 = 0
  /// Row in the site table.
  public var site: UInt32 = 0
  /// Row in the scheduler table; 0 if unknown.
  public var scheduler: UInt32 = 0
  /// Subscription: its signal.
  ///
  /// Timer: period in microseconds. Signal: number of its name, or 0.
  public var signal: UInt32 = 0
  /// Subscription: the one downstream.
  ///
  /// Signal: its upstream. Timer: its subscription.
  public var link = TraceID.none
  /// The hop chain it was made in, for timers that of their work; 0 for signals.
  public var chain: UInt32 = 0
  /// Subscription: the identifier of the owner it was bound to last, or 0; signal: 1 where the program refers to it
  /// no more.
  public var owner: UInt32 = 0
  /// Values a subscription holds, subscriptions a signal or an owner has, idle fires of a timer.
  public var depth: UInt32 = 0
  /// Further upstreams of a signal of several inputs.
  public var moreUpstreams: [TraceID] = []

  /// An empty value, to be filled by hand.
  public init() {}
}

/// One decoded record with its continuations.
public struct TraceRecord: Sendable {
  /// Where the record stands: `epoch of its segment << 12 | index`.
  ///
  /// Never changes, so it is how findings name their evidence and how `rxtop dump --event` finds it
  /// again.
  public var number: UInt64 = 0
  /// Absolute ticks.
  public var ticks: UInt64 = 0
  /// What happened.
  public var kind: RecordKind = .continuation
  /// The identifier: what it is depends on the kind.
  public var id: UInt32 = 0
  /// The argument: what it is depends on the kind.
  public var argument: UInt32 = 0
  /// Row in the thread table; 0 if unknown.
  public var thread: UInt32 = 0
  /// The generation of its segment.
  public var generation: UInt64 = 0
  /// The values of its continuations, in the order of ``RecordSpec/more``; zero beyond.
  public var more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

  /// An empty value, to be filled by hand.
  public init() {}
}

/// What a reader knows about one segment.
public struct TraceSegment: Sendable {
  /// Which segment of the pool, or of the tail.
  public var index = 0
  /// Whether it is in the tail of a stream: complete, and never recycled.
  public var isInTail = false
  /// Unique and rising; part of the number of its records.
  public var epoch: UInt64 = 0
  /// Bytes in use, header included.
  public var committed: UInt32 = 0
  /// What becomes of it.
  public var state: SegmentState = .free
  /// The time its records count from.
  public var baseTicks: UInt64 = 0
  /// The monotonic clock at that time, in nanoseconds.
  public var baseMonotonic: UInt64 = 0
  /// The generation of its records.
  public var generation: UInt64 = 0
  /// Row in the thread table; 0 if it is shared.
  public var thread: UInt32 = 0
  /// Records that found no room.
  public var lost: UInt64 = 0
  /// Whether the file ends before the segment's last record.
  public var isTruncated = false
  /// Where there is something in it that is no record, by indexes of 16 bytes behind its header, rising; of what
  /// is behind the sixteenth place, the last one has all.
  ///
  /// The records before and behind are there, but not whose those behind are, unless one says so.
  public var damagedRows: [Range<Int>] = []
  /// Whether the time falls in it or runs ahead of what a segment holds, which no recorder writes.
  public var hasWrongTimes = false

  /// Whether something has overwritten a part of it; what looks like a record cannot be told from one.
  public var isDamaged: Bool { !damagedRows.isEmpty || hasWrongTimes }
  /// Whether every record that was written into it is there.
  public var isWhole: Bool { !isTruncated && !isDamaged }

  /// An empty value, to be filled by hand.
  public init() {}
}

/// One decoded mark with the live count of each site.
public struct TraceMark: Sendable {
  /// Row in the table of marks.
  public var index = 0
  /// When it was set.
  public var ticks: UInt64 = 0
  /// Its name.
  public var name = ""
  /// Who set it.
  public var kind: MarkKind = .program
  /// Its place among the marks of its series, of which some may have been given up; 0 if it is not known.
  public var ordinal: UInt32 = 0
  /// Ticks of the mark before it, from which ``minimumLive`` counts; 0 in the first, and where it is not known.
  public var since: UInt64 = 0
  /// Signals alive.
  public var liveSignals: UInt64 = 0
  /// Subscriptions that had not ended.
  public var liveSubscriptions: UInt64 = 0
  /// Timers armed.
  public var liveTimers: UInt64 = 0
  /// Live subscriptions per site at the mark; sites beyond the end had none.
  public var live: [UInt32] = []
  /// The smallest live count per site since the mark before.
  public var minimumLive: [UInt32] = []

  /// An empty value, to be filled by hand.
  public init() {}
}

/// One decoded row of the scheduler table.
public struct TraceScheduler: Sendable {
  /// Row in the table.
  public var index: UInt32 = 0
  /// Its name.
  public var name = ""
  /// How it runs its work.
  public var kind: SchedulerKind = .other
  /// Work accepted.
  public var scheduled: UInt64 = 0
  /// Work begun.
  public var begun: UInt64 = 0
  /// Work cancelled before it began.
  public var cancelled: UInt64 = 0

  /// An empty value, to be filled by hand.
  public init() {}
}

/// One decoded row of the thread table.
public struct TraceThread: Sendable {
  /// Row in the table.
  public var index: UInt32 = 0
  /// The kernel's number of the thread.
  public var systemID: UInt32 = 0
  /// Whether it is the main thread.
  public var isMain = false
  /// Its name.
  public var name = ""
  /// Ticks of its first record.
  public var firstSeen: UInt64 = 0
  /// Ticks when it ended; nil if it has not.
  public var ended: UInt64?
  /// Records that found no room.
  public var lost: UInt64 = 0

  /// An empty value, to be filled by hand.
  public init() {}
}

/// One decoded row of the table of hop chains.
public struct TraceChain: Sendable {
  /// Return addresses, innermost first.
  public var frames: [UInt64] = []
  /// The chain of the work that scheduled this; 0 if none.
  public var parent: UInt32 = 0
  /// Row in the scheduler table; 0 if unknown.
  public var scheduler: UInt32 = 0
  /// Whether older links were cut to keep the chain bounded.
  public var isCut = false
  /// Whether the work had scheduled itself from here before, once or more.
  public var isRepeated = false
  /// Links from this one to the first, this one included.
  public var depth: UInt32 = 0

  /// An empty value, to be filled by hand.
  public init() {}
}

/// A function at a return address, as found out after the recording.
public struct TraceSymbol: Sendable, Hashable {
  /// The return address, as on the stacks.
  public var address: UInt64 = 0
  /// Demangled; empty if it is not known.
  public var function = ""
  /// The path of the source file; empty if it is not known.
  public var file = ""
  /// The line of the call; 0 if it is not known.
  public var line: UInt32 = 0
  /// Whether it was inlined into the function of the next one.
  public var isInlined = false
  /// Why something is not known; empty if nothing is to be said.
  public var note = ""

  /// An empty value, to be filled by hand.
  public init() {}
}

/// A loaded executable or library, as recorded.
public struct TraceImage: Sendable {
  /// Its file.
  public var path = ""
  /// The address it was loaded at.
  public var base: UInt64 = 0
  /// The address behind its last executable byte.
  public var endOfText: UInt64 = 0
  /// Its build identifier; empty if it has none.
  public var buildID: [UInt8] = []

  /// An empty value, to be filled by hand.
  public init() {}
}
