// MARK: §2 File header, at offset 0

extension Layout {
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

    /// The bytes `RXTRACE` and a zero byte.
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
    /// Bytes of the file with all regions, except for a stream's tail.
    @inlinable public static var fixedByteCount: Field<UInt64> { Field(at: 24) }
    /// The generation that writers currently write.
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
    /// The same three clocks, read together whenever a segment is handed out and when recording
    /// stops: two readings give the rate of the ticks.
    @inlinable public static var latestTicks: Field<UInt64> { Field(at: 72) }
    /// Nanoseconds of the monotonic clock.
    @inlinable public static var latestMonotonic: Field<UInt64> { Field(at: 80) }
    /// Nanoseconds since 1970.
    @inlinable public static var latestRealtime: Field<UInt64> { Field(at: 88) }
    /// Odd while the three fields before it are being changed; a reader then tries again.
    @inlinable public static var latestSequence: Field<UInt64> { Field(at: 96) }
    /// The process, in its own namespace.
    @inlinable public static var processID: Field<UInt32> { Field(at: 104) }
    /// Its effective user.
    @inlinable public static var userID: Field<UInt32> { Field(at: 108) }
    /// Field 22 of `/proc/PID/stat`, as it is read outside of time namespaces: distinguishes a
    /// process from a later one with the same number.
    @inlinable public static var processStart: Field<UInt64> { Field(at: 112) }
    /// Inode of `/proc/self/ns/pid`: process numbers are only meaningful inside it.
    @inlinable public static var processNamespace: Field<UInt64> { Field(at: 120) }
    /// The 16 bytes of the boot identifier.
    @inlinable public static var bootIDHigh: Field<UInt64> { Field(at: 128) }
    /// The last eight of them.
    @inlinable public static var bootIDLow: Field<UInt64> { Field(at: 136) }
    /// ``StackMode``.
    @inlinable public static var stackMode: Field<UInt32> { Field(at: 144) }
    /// The level requested when recording began (``TraceLevel``).
    @inlinable public static var startLevel: Field<UInt32> { Field(at: 148) }
    /// Low bits of a record identifier that are the slot index; the rest is the incarnation.
    @inlinable public static var slotBits: Field<UInt32> { Field(at: 152) }
    /// ``RecordingMode``.
    @inlinable public static var mode: Field<UInt32> { Field(at: 156) }
    /// String numbers: program name, executable path, and the note about a fallback directory.
    @inlinable public static var programName: Field<UInt32> { Field(at: 160) }
    /// Where its executable was.
    @inlinable public static var executablePath: Field<UInt32> { Field(at: 164) }
    /// A remark by the recorder, for example that it had to use another directory; 0 if there is
    /// none.
    @inlinable public static var note: Field<UInt32> { Field(at: 168) }
    /// ``Architecture``.
    @inlinable public static var architecture: Field<UInt32> { Field(at: 172) }
    /// Ticks when recording stopped; 0 while it continues, and after a crash.
    @inlinable public static var stopTicks: Field<UInt64> { Field(at: 176) }
    /// Entities (signals, subscriptions, timers) given a serial so far.
    @inlinable public static var lastSerial: Field<UInt64> { Field(at: 184) }
    /// The epoch of the segment handed out last.
    @inlinable public static var lastEpoch: Field<UInt64> { Field(at: 192) }
    /// Records that were dropped because no segment was available, in total.
    @inlinable public static var lostRecords: Field<UInt64> { Field(at: 200) }
    /// Segments that were recycled, whether or not they held records: together with the segments
    /// present, as many as the epochs handed out.
    @inlinable public static var recycledSegments: Field<UInt64> { Field(at: 208) }
    /// The level that the program itself requested last (``TraceLevel``).
    @inlinable public static var baseLevel: Field<UInt32> { Field(at: 256) }
    /// The highest level it allows (``TraceLevel``).
    @inlinable public static var maximumLevel: Field<UInt32> { Field(at: 260) }
    /// ``TailState``.
    @inlinable public static var tailState: Field<UInt32> { Field(at: 264) }
    /// The system's number of the error that ended the tail, or 0.
    @inlinable public static var tailError: Field<UInt32> { Field(at: 268) }
    /// The most bytes the file of a stream may have; 0: no limit.
    @inlinable public static var limit: Field<UInt64> { Field(at: 272) }
    /// ``EndingKind``: how the process ended, if that is known.
    @inlinable public static var endedBy: Field<UInt32> { Field(at: 280) }
    /// The exit status, or the number of the signal.
    @inlinable public static var endNumber: Field<UInt32> { Field(at: 284) }
    /// Ticks when the signal arrived; 0 if that is not known.
    @inlinable public static var endTicks: Field<UInt64> { Field(at: 288) }
    /// The row of the thread that caused the signal; 0 if that is not known.
    @inlinable public static var endThread: Field<UInt32> { Field(at: 296) }
    /// The system's number of the error that stopped recording early; 0 if none did.
    @inlinable public static var stopError: Field<UInt32> { Field(at: 300) }
    /// The chain of the work in which the signal arrived; 0 if none is known.
    @inlinable public static var endChain: Field<UInt32> { Field(at: 304) }
    /// The number of the stack on which the signal arrived, which has ``StackHeap/limit`` frames,
    /// where those behind the last real one are 1; 0 if unknown.
    @inlinable public static var endStack: Field<UInt32> { Field(at: 308) }
    /// String number: the places with separate levels, as in `RXTRACE`; 0 if there are none.
    @inlinable public static var places: Field<UInt32> { Field(at: 312) }
    /// The number of seconds that the ring was requested to cover; 0 if none was requested.
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
}
