/// Byte layout of trace format 1.
///
/// Normative text: <doc:/TraceFormat/TraceFormat>; section numbers match. No other file in this package writes
/// an offset, a size or an event number. Computed properties, not stored ones: they are constants in
/// every module that inlines them.
public enum Layout {
  // MARK: §2 File header, at offset 0

  /// The first page of the file.
  public enum FileHeader {
    /// "RXTRACE" and a zero byte, read as a little-endian integer.
    @inlinable public static var magicNumber: UInt64 { 0x0045_4341_5254_5852 }
    /// The version this package writes.
    ///
    /// A reader accepts every minor version of the same major one.
    @inlinable public static var currentMajorVersion: UInt16 { 1 }
    /// The minor version this package writes.
    @inlinable public static var currentMinorVersion: UInt16 { 7 }
    /// Bytes before the first region.
    @inlinable public static var byteCount: Int { 4096 }

    /// The bytes `RXTRACE` and a zero.
    @inlinable public static var magic: Field<UInt64> { Field(at: 0) }
    /// The major version: a reader refuses another one.
    @inlinable public static var majorVersion: Field<UInt16> { Field(at: 8) }
    /// The minor version: a reader accepts a higher one.
    @inlinable public static var minorVersion: Field<UInt16> { Field(at: 10) }
    /// ``FileState``.
    @inlinable public static var state: Field<UInt32> { Field(at: 12) }
    /// Level (bits 0–3), stop (bit 4), low bits of the generation (bits 8–31): the word that the
    /// traced path compares with its thread's copy.
    @inlinable public static var control: Field<UInt32> { Field(at: 16) }
    /// ``ClockKind``.
    @inlinable public static var clock: Field<UInt32> { Field(at: 20) }
    /// Bytes of the file with room for all regions, without a stream's tail.
    @inlinable public static var fixedByteCount: Field<UInt64> { Field(at: 24) }
    /// The generation that writers write into now.
    ///
    /// The first is 1.
    @inlinable public static var generation: Field<UInt64> { Field(at: 32) }
    /// The highest generation of a recycled segment; 0 while nothing was lost to the ring.
    @inlinable public static var recycledGeneration: Field<UInt64> { Field(at: 40) }
    /// Clock readings taken together when recording began.
    @inlinable public static var startTicks: Field<UInt64> { Field(at: 48) }
    /// Nanoseconds of the monotonic clock.
    @inlinable public static var startMonotonic: Field<UInt64> { Field(at: 56) }
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    @inlinable public static var startRealtime: Field<UInt64> { Field(at: 64) }
    /// The same three again, taken together whenever a segment is handed out and when recording
    /// stops: two points give the rate of the ticks.
    @inlinable public static var latestTicks: Field<UInt64> { Field(at: 72) }
    /// Nanoseconds of the monotonic clock.
    @inlinable public static var latestMonotonic: Field<UInt64> { Field(at: 80) }
    /// Nanoseconds since 1970.
    @inlinable public static var latestRealtime: Field<UInt64> { Field(at: 88) }
    /// Odd while the three fields before are being changed; a reader tries again.
    @inlinable public static var latestSequence: Field<UInt64> { Field(at: 96) }
    /// The process, in its own namespace.
    @inlinable public static var processID: Field<UInt32> { Field(at: 104) }
    /// Its effective user.
    @inlinable public static var userID: Field<UInt32> { Field(at: 108) }
    /// Field 22 of `/proc/PID/stat`, as it is read outside of time namespaces: tells a process from a later one with the same number.
    @inlinable public static var processStart: Field<UInt64> { Field(at: 112) }
    /// Inode of `/proc/self/ns/pid`: process numbers mean something only inside it.
    @inlinable public static var processNamespace: Field<UInt64> { Field(at: 120) }
    /// The 16 bytes of the boot identifier.
    @inlinable public static var bootIDHigh: Field<UInt64> { Field(at: 128) }
    /// The last eight of them.
    @inlinable public static var bootIDLow: Field<UInt64> { Field(at: 136) }
    /// ``StackMode``.
    @inlinable public static var stackMode: Field<UInt32> { Field(at: 144) }
    /// Level asked for when recording began (``TraceLevel``).
    @inlinable public static var startLevel: Field<UInt32> { Field(at: 148) }
    /// Low bits of a record identifier that are the slot index; the rest is the incarnation.
    @inlinable public static var slotBits: Field<UInt32> { Field(at: 152) }
    /// ``RecordingMode``.
    @inlinable public static var mode: Field<UInt32> { Field(at: 156) }
    /// String numbers: program name, executable path, and the note about a fallback directory.
    @inlinable public static var programName: Field<UInt32> { Field(at: 160) }
    /// Where its executable was.
    @inlinable public static var executablePath: Field<UInt32> { Field(at: 164) }
    /// What the recorder has to say about itself, as that it had to use another directory; 0 if
    /// nothing.
    @inlinable public static var note: Field<UInt32> { Field(at: 168) }
    /// ``Architecture``.
    @inlinable public static var architecture: Field<UInt32> { Field(at: 172) }
    /// Ticks when recording stopped; 0 while it runs and after a crash.
    @inlinable public static var stopTicks: Field<UInt64> { Field(at: 176) }
    /// Entities (signals, subscriptions, timers) given a serial so far.
    @inlinable public static var lastSerial: Field<UInt64> { Field(at: 184) }
    /// The epoch of the segment handed out last.
    @inlinable public static var lastEpoch: Field<UInt64> { Field(at: 192) }
    /// Records that were dropped because no segment could be had, ever.
    @inlinable public static var lostRecords: Field<UInt64> { Field(at: 200) }
    /// Segments that were recycled, whether or not they held records: with those present, as many as
    /// the epochs handed out.
    @inlinable public static var recycledSegments: Field<UInt64> { Field(at: 208) }
    /// The level that the program itself has asked for last (``TraceLevel``).
    @inlinable public static var baseLevel: Field<UInt32> { Field(at: 256) }
    /// The highest level it allows (``TraceLevel``).
    @inlinable public static var maximumLevel: Field<UInt32> { Field(at: 260) }
    /// ``TailState``.
    @inlinable public static var tailState: Field<UInt32> { Field(at: 264) }
    /// The system's number of the error that ended the tail, or 0.
    @inlinable public static var tailError: Field<UInt32> { Field(at: 268) }
    /// The most bytes the file of a stream may have; 0: no limit.
    @inlinable public static var limit: Field<UInt64> { Field(at: 272) }
    /// ``EndingKind``: how the process ended, where that is known.
    @inlinable public static var endedBy: Field<UInt32> { Field(at: 280) }
    /// The exit status, or the number of the signal.
    @inlinable public static var endNumber: Field<UInt32> { Field(at: 284) }
    /// Ticks when the signal came; 0 where that is not known.
    @inlinable public static var endTicks: Field<UInt64> { Field(at: 288) }
    /// The row of the thread that caused the signal; 0 where that is not known.
    @inlinable public static var endThread: Field<UInt32> { Field(at: 296) }
    /// The system's number of the error that stopped recording before its time; 0 if none did.
    @inlinable public static var stopError: Field<UInt32> { Field(at: 300) }
    /// The chain of the work in which the signal came; 0 if none is known.
    @inlinable public static var endChain: Field<UInt32> { Field(at: 304) }
    /// The stack on which the signal came: stack number, of ``StackHeap/limit`` frames, those behind the last being 1; 0 if unknown.
    @inlinable public static var endStack: Field<UInt32> { Field(at: 308) }
    /// String number: the places with a level of their own, as in `RXTRACE`; 0 if there are none.
    @inlinable public static var places: Field<UInt32> { Field(at: 312) }
    /// Seconds that the ring is wished to look back; 0 where nothing was wished.
    @inlinable public static var lookBack: Field<UInt32> { Field(at: 316) }
    /// Bits of the generation that the control word holds.
    @inlinable public static var controlGenerationBits: Int { 24 }
    /// The leases by which inspectors raise the level: four of ``Lease``.
    @inlinable public static var leases: Int { 512 }
    /// The table of regions: ``regionCount`` rows of ``Region``.
    @inlinable public static var regions: Int { 1024 }
    /// Rows of the table.
    @inlinable public static var regionCount: Int { 16 }
  }

  // MARK: §3 Region table

  /// A row of the region table; row number = ``RegionKind``.
  public enum Region {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// Bytes from the start of the file; 0: the region does not exist in this file.
    @inlinable public static var offset: Field<UInt64> { Field(at: 0) }
    /// Bytes of the region.
    @inlinable public static var size: Field<UInt64> { Field(at: 8) }
    /// Bytes of an entry; 1 for heaps.
    @inlinable public static var entrySize: Field<UInt32> { Field(at: 16) }
    /// Entries there is room for.
    @inlinable public static var capacity: Field<UInt32> { Field(at: 20) }
    /// Entries (bytes, for heaps) that are complete; release-stored behind them.
    @inlinable public static var used: Field<UInt64> { Field(at: 24) }
    /// Entries that found no room.
    ///
    /// In band: every verdict is capped by it.
    @inlinable public static var lost: Field<UInt64> { Field(at: 32) }
  }

  // MARK: §4 Segments

  /// The header of a segment.
  public enum Segment {
    /// Bytes of a whole segment, header included.
    @inlinable public static var size: Int { 65536 }
    /// Bytes before the first record.
    @inlinable public static var headerByteCount: Int { 64 }
    /// Records that fit in a segment.
    @inlinable public static var recordCapacity: Int { (size - headerByteCount) / Record.byteCount }
    /// Unique and rising; 0 while the segment is free or being recycled.
    @inlinable public static var epoch: Field<UInt64> { Field(at: 0) }
    /// Bytes in use, header included; release-stored after the records.
    @inlinable public static var committed: Field<UInt32> { Field(at: 8) }
    /// ``SegmentState``.
    @inlinable public static var state: Field<UInt32> { Field(at: 12) }
    /// What the deltas of its records count from.
    @inlinable public static var baseTicks: Field<UInt64> { Field(at: 16) }
    /// The monotonic clock at about that time, in nanoseconds.
    @inlinable public static var baseMonotonic: Field<UInt64> { Field(at: 24) }
    /// The generation of all its records (§10).
    @inlinable public static var generation: Field<UInt64> { Field(at: 32) }
    /// Row in the thread table; 0 for the shared overflow segment, whose records carry theirs.
    @inlinable public static var thread: Field<UInt32> { Field(at: 40) }
    /// Records that could not be written to it.
    @inlinable public static var lost: Field<UInt64> { Field(at: 48) }
  }

  // MARK: §5 Records

  /// A record: two 8-byte words.
  public enum Record {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 16 }
    /// `delta << 16 | kind`, in ticks since the segment's base.
    @inlinable public static var head: Field<UInt64> { Field(at: 0) }
    /// `argument << 32 | identifier`.
    @inlinable public static var body: Field<UInt64> { Field(at: 8) }
    /// Bits of the head that are the kind.
    @inlinable public static var kindBits: Int { 16 }
    /// Kinds of all minor versions are below this, and above 0.
    @inlinable public static var kindLimit: Int { 1024 }
    /// A segment is sealed before a delta reaches this.
    @inlinable public static var deltaLimit: UInt64 { 1 << 47 }
    /// Bytes of a value's description that its record holds.
    @inlinable public static var valueByteCount: Int { 42 }
    /// Stands for the length of a description that was not made to its end: it is longer than what the record holds.
    @inlinable public static var unknownByteCount: UInt32 { .max }
    /// Records of one kind with its continuations, at most.
    @inlinable public static var longest: Int { 4 }
  }

  // MARK: §6 Slab

  /// A slot: one live signal, subscription or timer.
  ///
  /// See TraceFormat §6 for what each field means for each kind of entity.
  public enum Slot {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// Unique and rising over signals, subscriptions and timers; 0: the slot is free or being reused.
    @inlinable public static var serial: Field<UInt64> { Field(at: 0) }
    /// Ticks.
    @inlinable public static var createdAt: Field<UInt64> { Field(at: 8) }
    /// Ticks of the last event, the last fire, or, for a signal, the last subscription; 0 if there
    /// was none.
    @inlinable public static var lastEventAt: Field<UInt64> { Field(at: 16) }
    /// Subscription: events that passed; owner: subscriptions it ever had.
    @inlinable public static var eventCount: Field<UInt64> { Field(at: 24) }
    /// `entity kind | state << 8 | scheduler << 16`; of a signal, the row of its argument stands in the
    /// place of the scheduler.
    @inlinable public static var state: Field<UInt32> { Field(at: 32) }
    /// Row in the site table.
    @inlinable public static var site: Field<UInt32> { Field(at: 36) }
    /// Subscription: its signal.
    ///
    /// Timer: its period in microseconds, 0 if it fires once. Signal: the string number of the name
    /// it was given, or 0.
    @inlinable public static var signal: Field<UInt32> { Field(at: 40) }
    /// Subscription: the one downstream.
    ///
    /// Signal: the first upstream signal. Timer: its subscription.
    @inlinable public static var link: Field<UInt32> { Field(at: 44) }
    /// Subscription: the hop chain it was made in.
    ///
    /// Timer: that of its work, which begins where it was armed. Signal: first row of its further upstreams in the overflow region, or 0.
    @inlinable public static var chain: Field<UInt32> { Field(at: 48) }
    /// Subscription: the owner it was bound to last, or 0; signal: ``Packing/made(in:isOutlived:)``.
    @inlinable public static var owner: Field<UInt32> { Field(at: 52) }
    /// Subscription: values it holds.
    ///
    /// Signal: subscriptions it has now. Timer: fires since the last one that led to an event. Owner:
    /// subscriptions it has that have not ended.
    @inlinable public static var depth: Field<UInt32> { Field(at: 56) }
    /// Low 30 bits of the generation in which the entity's status was last written; the other two are the writer's own.
    @inlinable public static var statusGeneration: Field<UInt32> { Field(at: 60) }
  }

  // MARK: §8 Tables

  /// A row of the scheduler table.
  public enum Scheduler {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 32 }
    /// Its name.
    @inlinable public static var name: Field<UInt32> { Field(at: 0) }
    /// ``SchedulerKind``.
    @inlinable public static var kind: Field<UInt32> { Field(at: 4) }
    /// Work accepted.
    @inlinable public static var scheduled: Field<UInt64> { Field(at: 8) }
    /// Work begun.
    @inlinable public static var begun: Field<UInt64> { Field(at: 16) }
    /// Work cancelled before it began.
    @inlinable public static var cancelled: Field<UInt64> { Field(at: 24) }
  }

  /// A row of the thread table.
  public enum Thread {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// The kernel's number of the thread.
    @inlinable public static var systemID: Field<UInt32> { Field(at: 0) }
    /// 1 for the main thread, 0 otherwise.
    @inlinable public static var isMain: Field<UInt32> { Field(at: 4) }
    /// Ticks of its first record.
    @inlinable public static var firstSeen: Field<UInt64> { Field(at: 8) }
    /// Ticks when the thread ended, or 0.
    @inlinable public static var ended: Field<UInt64> { Field(at: 16) }
    /// Its records that found no room.
    @inlinable public static var lost: Field<UInt64> { Field(at: 24) }
    /// The kernel's name of the thread: 16 bytes, zero-filled.
    @inlinable public static var name: Int { 32 }
    /// Bytes there is room for.
    @inlinable public static var nameByteCount: Int { 16 }
  }

  /// A row of the table of hop chains: an interned pair of a stack and the chain it was made in.
  public enum Chain {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 16 }
    /// Stack number: where the work was scheduled.
    @inlinable public static var stack: Field<UInt32> { Field(at: 0) }
    /// The chain of the work that scheduled it, always a lower row; 0 if none.
    @inlinable public static var parent: Field<UInt32> { Field(at: 4) }
    /// The scheduler that accepted the work.
    @inlinable public static var scheduler: Field<UInt32> { Field(at: 8) }
    /// Links up to the first, at most ``depthLimit``; bits 24 to 29: the ``HopKind``; bit 30: the work scheduled
    /// itself from here again and again; bit 31: the chain was cut here.
    @inlinable public static var depth: Field<UInt32> { Field(at: 12) }
    /// The bits that count links.
    @inlinable public static var depthMask: UInt32 { 1 << 24 - 1 }
    /// Where the six bits of the kind begin.
    @inlinable public static var kindShift: UInt32 { 24 }
    /// The bits of the kind, shifted down.
    @inlinable public static var kindMask: UInt32 { 1 << 6 - 1 }
    /// Links of a chain, at most.
    @inlinable public static var depthLimit: Int { 16 }
    /// The bit that says that the link stands for more than one.
    @inlinable public static var repeatBit: UInt32 { 1 << 30 }
    /// The bit that says that older links were left out.
    @inlinable public static var cutBit: UInt32 { 1 << 31 }
  }

  /// A loaded executable or library.
  public enum Image {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// The address it is loaded at.
    @inlinable public static var base: Field<UInt64> { Field(at: 0) }
    /// The address behind its last executable byte.
    @inlinable public static var endOfText: Field<UInt64> { Field(at: 8) }
    /// Its file.
    @inlinable public static var path: Field<UInt32> { Field(at: 16) }
    /// Bytes of its build identifier, 0 to 32.
    @inlinable public static var buildIDByteCount: Field<UInt32> { Field(at: 20) }
    /// The build identifier, at most 32 bytes.
    @inlinable public static var buildID: Int { 24 }
    /// Bytes there is room for.
    @inlinable public static var buildIDLimit: Int { 32 }
  }

  /// A function at a return address: what was found out about it after the recording.
  ///
  /// Rows stand in the order of their addresses; those of one address, where functions were inlined, from
  /// the innermost to the one that the others were inlined into.
  public enum Symbol {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 32 }
    /// The return address, as on the stacks.
    @inlinable public static var address: Field<UInt64> { Field(at: 0) }
    /// The function, demangled; 0 if it is not known.
    @inlinable public static var function: Field<UInt32> { Field(at: 8) }
    /// The path of its source file; 0 if it is not known.
    @inlinable public static var file: Field<UInt32> { Field(at: 12) }
    /// The line of the call; 0 if it is not known.
    @inlinable public static var line: Field<UInt32> { Field(at: 16) }
    /// 1: the function was inlined into that of the next row.
    @inlinable public static var isInlined: Field<UInt32> { Field(at: 20) }
    /// Why something is not known; 0 if nothing is to be said.
    @inlinable public static var note: Field<UInt32> { Field(at: 24) }
  }

  /// A mark: an instant with the live count of every site, in ``MarkCount`` rows.
  public enum Mark {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 80 }
    /// Bytes of the structure before version 1.6, which did not record memory.
    @inlinable public static var earlyByteCount: Int { 64 }
    /// Odd while the row is being written.
    ///
    /// Readers take an even, unchanged one.
    @inlinable public static var sequence: Field<UInt64> { Field(at: 0) }
    /// When the mark was set.
    @inlinable public static var ticks: Field<UInt64> { Field(at: 8) }
    /// Its name.
    @inlinable public static var name: Field<UInt32> { Field(at: 16) }
    /// ``MarkKind``.
    @inlinable public static var kind: Field<UInt32> { Field(at: 20) }
    /// Sites that existed: the rest of its counts is zero.
    @inlinable public static var siteCount: Field<UInt32> { Field(at: 24) }
    /// Its place in its series, from 1 on.
    @inlinable public static var ordinal: Field<UInt32> { Field(at: 28) }
    /// Signals alive.
    @inlinable public static var liveSignals: Field<UInt64> { Field(at: 32) }
    /// Subscriptions that had not ended.
    @inlinable public static var liveSubscriptions: Field<UInt64> { Field(at: 40) }
    /// Timers armed.
    @inlinable public static var liveTimers: Field<UInt64> { Field(at: 48) }
    /// Ticks of the mark before it, from which on its smallest counts count.
    @inlinable public static var since: Field<UInt64> { Field(at: 56) }
    /// Bytes of the heap in use; 0 if that is not known.
    @inlinable public static var heapInUse: Field<UInt64> { Field(at: 64) }
    /// Bytes of the process that are in memory; 0 if that is not known.
    @inlinable public static var residentSize: Field<UInt64> { Field(at: 72) }
    /// No process has as many bytes: what is not below is damage.
    @inlinable public static var memoryLimit: UInt64 { 1 << 57 }
  }

  /// The counts of one site at one mark; mark `m`, site `s` stand at row `m × capacity of sites + s`.
  public enum MarkCount {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 8 }
    /// Live subscriptions of the site at the mark.
    @inlinable public static var live: Field<UInt32> { Field(at: 0) }
    /// The smallest live count since the mark before.
    @inlinable public static var minimumLive: Field<UInt32> { Field(at: 4) }
  }

  /// A row of the overflow region for signals with several upstreams: one further upstream each.
  public enum Upstream {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 8 }
    /// Identifier of the upstream signal.
    @inlinable public static var signal: Field<UInt32> { Field(at: 0) }
    /// The next row of the same signal, or 0.
    @inlinable public static var next: Field<UInt32> { Field(at: 4) }
  }

  // MARK: §9 Heaps

  /// A string: a 4-byte length and that many bytes of UTF-8, padded to 8.
  ///
  /// A string number is the offset of the length divided by 8; number 0 is the empty string.
  public enum StringHeap {
    /// What numbers count in.
    @inlinable public static var unit: Int { 8 }
    /// Bytes of the text.
    @inlinable public static var length: Field<UInt32> { Field(at: 0) }
    /// Where the bytes begin.
    @inlinable public static var bytes: Int { 4 }
    /// Longer strings are cut at a character boundary.
    @inlinable public static var limit: Int { 1024 }
  }

  /// A stack: an 8-byte count and that many return addresses, innermost first.
  ///
  /// A stack number is the offset of the count divided by 8; number 0 is the empty stack.
  public enum StackHeap {
    /// What numbers count in.
    @inlinable public static var unit: Int { 8 }
    /// Addresses.
    @inlinable public static var count: Field<UInt64> { Field(at: 0) }
    /// Where the addresses begin.
    @inlinable public static var frames: Int { 8 }
    /// The most that is stored of one.
    @inlinable public static var limit: Int { 64 }
    /// The most that is stored of who made a subscription, where stacks are ``StackMode/callers``: enough to come to the
    /// program's own functions through the helpers that most programs have between these and `subscribe`.
    @inlinable public static var callerLimit: Int { 16 }
  }
}
