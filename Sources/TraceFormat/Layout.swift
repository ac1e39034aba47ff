/// Byte layout of trace format 1.
///
/// The normative text is <doc:/TraceFormat/TraceFormat>, whose section numbers are used here. In
/// this package, only the files `Layout*.swift` contain offsets and sizes of the format. The
/// properties are computed rather than stored, so that they are constants in every module that
/// inlines them.
public enum Layout {
  // MARK: §3 Region table

  /// A row of the region table, which says where each table and heap is in the file.
  ///
  /// The number of the row is the raw value of ``RegionKind``.
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
    /// Entries (bytes, for heaps) that are complete; stored after them with release ordering.
    @inlinable public static var used: Field<UInt64> { Field(at: 24) }
    /// Entries that were dropped for lack of room.
    ///
    /// If it is not 0, any conclusion from the region is a lower bound.
    @inlinable public static var lost: Field<UInt64> { Field(at: 32) }
  }

  // MARK: §4 Segments

  /// The header of a segment, which holds records, usually of one thread.
  public enum Segment {
    /// Bytes of a whole segment, header included.
    @inlinable public static var size: Int { 65536 }
    /// Bytes before the first record.
    @inlinable public static var headerByteCount: Int { 64 }
    /// Records that fit in a segment.
    @inlinable public static var recordCapacity: Int { (size - headerByteCount) / Record.byteCount }
    /// Unique and rising; 0 while the segment is free or being recycled.
    @inlinable public static var epoch: Field<UInt64> { Field(at: 0) }
    /// Bytes in use, header included; stored after the records with release ordering.
    @inlinable public static var committed: Field<UInt32> { Field(at: 8) }
    /// ``SegmentState``.
    @inlinable public static var state: Field<UInt32> { Field(at: 12) }
    /// The time in ticks to which the deltas of its records are relative.
    @inlinable public static var baseTicks: Field<UInt64> { Field(at: 16) }
    /// The monotonic clock at about that time, in nanoseconds.
    @inlinable public static var baseMonotonic: Field<UInt64> { Field(at: 24) }
    /// The generation of all its records: a stretch of the trace that can be read without the
    /// earlier records (§10).
    @inlinable public static var generation: Field<UInt64> { Field(at: 32) }
    /// Row in the thread table; 0 for the shared overflow segment, in which `thread` records name
    /// the threads.
    @inlinable public static var thread: Field<UInt32> { Field(at: 40) }
    /// Records that were dropped before those in it, because no segment was available.
    @inlinable public static var lost: Field<UInt64> { Field(at: 48) }
    /// The serial of the last entity that was made before the segment was taken: serials that short
    /// records leave out follow from it.
    @inlinable public static var baseSerial: Field<UInt64> { Field(at: 56) }
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
    /// The kinds of all minor versions are above 0 and below this.
    @inlinable public static var kindLimit: Int { 1024 }
    /// A segment is sealed before a delta reaches this.
    @inlinable public static var deltaLimit: UInt64 { 1 << 47 }
    /// Bytes of a value's description that its record holds.
    @inlinable public static var valueByteCount: Int { 42 }
    /// Stands for the length of a description that was not generated to its end, and is longer than
    /// what the record holds.
    @inlinable public static var unknownByteCount: UInt32 { .max }
    /// The maximum number of 16-byte units that a record takes, including its continuations, but
    /// not those that stand for further records.
    @inlinable public static var longest: Int { 4 }
  }

  // MARK: §6 Slab

  /// A slot: one signal, subscription, timer or owner that has not been released.
  ///
  /// See TraceFormat §6 for what each field means for each kind of entity.
  public enum Slot {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// Unique and rising over all entities; 0 while the slot is free or being filled.
    @inlinable public static var serial: Field<UInt64> { Field(at: 0) }
    /// Ticks when the entity was created.
    @inlinable public static var createdAt: Field<UInt64> { Field(at: 8) }
    /// Ticks of the last event, the last fire, or, for a signal, the last subscription; 0 if there
    /// was none.
    @inlinable public static var lastEventAt: Field<UInt64> { Field(at: 16) }
    /// For a subscription, the events that passed through it; for an owner, the subscriptions it
    /// ever had.
    @inlinable public static var eventCount: Field<UInt64> { Field(at: 24) }
    /// `entity kind | state << 8 | scheduler << 16`; for a signal, the row of its argument takes
    /// the place of the scheduler's row.
    @inlinable public static var state: Field<UInt32> { Field(at: 32) }
    /// Row in the site table.
    @inlinable public static var site: Field<UInt32> { Field(at: 36) }
    /// For a subscription, its signal.
    ///
    /// For a timer, its period in microseconds, or 0 if it fires once. For a signal, the string
    /// number of the name it was given, or 0.
    @inlinable public static var signal: Field<UInt32> { Field(at: 40) }
    /// For a subscription, the one downstream.
    ///
    /// For a signal, the first upstream signal. For a timer, its subscription.
    @inlinable public static var link: Field<UInt32> { Field(at: 44) }
    /// For a subscription, the chain (asynchronous backtrace) in which it was made.
    ///
    /// For a timer, the chain of its work, which begins where it was armed. For a signal, the first
    /// row of its further upstreams in the overflow region, or 0.
    @inlinable public static var chain: Field<UInt32> { Field(at: 48) }
    /// For a subscription, the owner that it was last bound to, or 0; for a signal,
    /// ``Packing/made(in:isOutlived:)``.
    @inlinable public static var owner: Field<UInt32> { Field(at: 52) }
    /// For a subscription, the values it holds.
    ///
    /// For a signal, its current subscriptions. For a timer, its fires since the last one that led
    /// to an event. For an owner, its subscriptions that have not ended.
    @inlinable public static var depth: Field<UInt32> { Field(at: 56) }
    /// Low 30 bits of the generation in which the entity's status was last written; the other two
    /// are for the writer's own use.
    @inlinable public static var statusGeneration: Field<UInt32> { Field(at: 60) }
  }

  // MARK: §8 Tables

  /// A row of the scheduler table.
  public enum Scheduler {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 32 }
    /// The string number of its name.
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
    /// Its records that were dropped for lack of room.
    @inlinable public static var lost: Field<UInt64> { Field(at: 24) }
    /// The kernel's name of the thread: 16 bytes, zero-filled.
    @inlinable public static var name: Int { 32 }
    /// Bytes there is room for.
    @inlinable public static var nameByteCount: Int { 16 }
  }

  /// A row of the table of chains (asynchronous backtraces): an interned pair of a stack and the
  /// chain in which that stack was captured.
  public enum Chain {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 16 }
    /// Stack number: where the work was scheduled.
    @inlinable public static var stack: Field<UInt32> { Field(at: 0) }
    /// The chain of the work that scheduled it, always a lower row; 0 if none.
    @inlinable public static var parent: Field<UInt32> { Field(at: 4) }
    /// The scheduler that accepted the work.
    @inlinable public static var scheduler: Field<UInt32> { Field(at: 8) }
    /// The number of links from this one to the first, at most ``depthLimit``.
    ///
    /// Bits 24 to 29 are the ``HopKind``. Bit 30: the work scheduled itself from here repeatedly.
    /// Bit 31: older links were left out here.
    @inlinable public static var depth: Field<UInt32> { Field(at: 12) }
    /// The bits that count links.
    @inlinable public static var depthMask: UInt32 { 1 << 24 - 1 }
    /// The position of the lowest of the six bits of the kind.
    @inlinable public static var kindShift: UInt32 { 24 }
    /// The bits of the kind, shifted down.
    @inlinable public static var kindMask: UInt32 { 1 << 6 - 1 }
    /// The maximum number of links of a chain.
    @inlinable public static var depthLimit: Int { 16 }
    /// Set if the link represents several equal ones, one after the other.
    @inlinable public static var repeatBit: UInt32 { 1 << 30 }
    /// Set if older links were left out.
    @inlinable public static var cutBit: UInt32 { 1 << 31 }
  }

  /// A loaded executable or library.
  public enum Image {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 64 }
    /// The address it is loaded at.
    @inlinable public static var base: Field<UInt64> { Field(at: 0) }
    /// The address after its last executable byte.
    @inlinable public static var endOfText: Field<UInt64> { Field(at: 8) }
    /// The string number of its path.
    @inlinable public static var path: Field<UInt32> { Field(at: 16) }
    /// Bytes of its build identifier, 0 to 32.
    @inlinable public static var buildIDByteCount: Field<UInt32> { Field(at: 20) }
    /// The build identifier, at most 32 bytes.
    @inlinable public static var buildID: Int { 24 }
    /// Bytes there is room for.
    @inlinable public static var buildIDLimit: Int { 32 }
  }

  /// A function at a return address, as determined after the recording.
  ///
  /// Rows are ordered by address. Rows of one address, if functions were inlined, go from the
  /// innermost function to the one that the others were inlined into.
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
    /// 1 if the function was inlined into that of the next row.
    @inlinable public static var isInlined: Field<UInt32> { Field(at: 20) }
    /// The string number of the reason why something is not known; 0 if there is none.
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
    /// Readers accept a row if the number is even and has not changed.
    @inlinable public static var sequence: Field<UInt64> { Field(at: 0) }
    /// When the mark was set.
    @inlinable public static var ticks: Field<UInt64> { Field(at: 8) }
    /// The string number of its name.
    @inlinable public static var name: Field<UInt32> { Field(at: 16) }
    /// ``MarkKind``.
    @inlinable public static var kind: Field<UInt32> { Field(at: 20) }
    /// The number of sites that existed then; the counts of all others are zero.
    @inlinable public static var siteCount: Field<UInt32> { Field(at: 24) }
    /// Its position in its series, counted from 1.
    @inlinable public static var ordinal: Field<UInt32> { Field(at: 28) }
    /// Live signals.
    @inlinable public static var liveSignals: Field<UInt64> { Field(at: 32) }
    /// Subscriptions that had not ended.
    @inlinable public static var liveSubscriptions: Field<UInt64> { Field(at: 40) }
    /// Timers armed.
    @inlinable public static var liveTimers: Field<UInt64> { Field(at: 48) }
    /// Ticks of the previous mark; the smallest counts are those since then.
    @inlinable public static var since: Field<UInt64> { Field(at: 56) }
    /// Bytes of the heap in use; 0 if that is not known.
    @inlinable public static var heapInUse: Field<UInt64> { Field(at: 64) }
    /// The resident size of the process in bytes; 0 if that is not known.
    @inlinable public static var residentSize: Field<UInt64> { Field(at: 72) }
    /// No process has this many bytes: a number of at least this means damage.
    @inlinable public static var memoryLimit: UInt64 { 1 << 57 }
  }

  /// The counts of one site at one mark; those of mark `m` and site `s` are in row
  /// `m × capacity of sites + s`.
  public enum MarkCount {
    /// Bytes of the structure.
    @inlinable public static var byteCount: Int { 8 }
    /// Live subscriptions of the site at the mark.
    @inlinable public static var live: Field<UInt32> { Field(at: 0) }
    /// The smallest live count since the mark before.
    @inlinable public static var minimumLive: Field<UInt32> { Field(at: 4) }
  }

  /// A row of the overflow region for signals with several upstreams, which contains one further
  /// upstream.
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
    /// The unit of string numbers, in bytes.
    @inlinable public static var unit: Int { 8 }
    /// The length of the text in bytes.
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
    /// The unit of stack numbers, in bytes.
    @inlinable public static var unit: Int { 8 }
    /// The number of addresses.
    @inlinable public static var count: Field<UInt64> { Field(at: 0) }
    /// Where the addresses begin.
    @inlinable public static var frames: Int { 8 }
    /// The maximum number of addresses that are stored of a stack.
    @inlinable public static var limit: Int { 64 }
    /// The maximum number of addresses that are stored of the callers of `subscribe`, with
    /// ``StackMode/callers``.
    ///
    /// It is enough to reach the program's own functions in most programs, which call `subscribe`
    /// through helpers.
    @inlinable public static var callerLimit: Int { 16 }
  }
}
