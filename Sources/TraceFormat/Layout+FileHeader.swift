// MARK: §2 File header, at offset 0

extension Layout {
  /// The first page of the file.
  ///
  /// The records are in segments of 64 KiB. If none is free, the oldest is recycled, which means
  /// that new records overwrite it. A stream first appends it to the tail of the file.
  public enum FileHeader {
    /// "RXTRACE" and a zero byte, read as a little-endian integer.
    @inlinable public static var magicNumber: UInt64 { 0x0045_4341_5254_5852 }
    /// The major version this package writes.
    ///
    /// A reader accepts every minor version of the same major one.
    @inlinable public static var currentMajorVersion: UInt16 { 1 }
    /// The minor version this package writes.
    @inlinable public static var currentMinorVersion: UInt16 { 9 }
    /// Bytes before the first region.
    @inlinable public static var byteCount: Int { 4096 }

    /// The bytes `RXTRACE` and a zero byte.
    @inlinable public static var magic: Field<UInt64> { Field(at: 0) }
    /// The major version; a reader refuses any other one.
    @inlinable public static var majorVersion: Field<UInt16> { Field(at: 8) }
    /// The minor version: a reader accepts a higher one.
    @inlinable public static var minorVersion: Field<UInt16> { Field(at: 10) }
    /// ``FileState``.
    @inlinable public static var state: Field<UInt32> { Field(at: 12) }
    /// The control word: level (bits 0–3), stop (bit 4), low bits of the generation (bits 8–31).
    ///
    /// At each call of the recorder, a thread compares it with the thread's own copy.
    @inlinable public static var control: Field<UInt32> { Field(at: 16) }
    /// ``ClockKind``.
    @inlinable public static var clock: Field<UInt32> { Field(at: 20) }
    /// Bytes of the file with all regions except a stream's tail.
    @inlinable public static var fixedByteCount: Field<UInt64> { Field(at: 24) }
    /// The generation (a stretch of the trace that can be read without the earlier records) that
    /// writers currently write.
    ///
    /// The first is 1.
    @inlinable public static var generation: Field<UInt64> { Field(at: 32) }
    /// The highest generation of a recycled segment; 0 while the ring has overwritten nothing.
    @inlinable public static var recycledGeneration: Field<UInt64> { Field(at: 40) }
    /// Ticks when recording began; this and the next two fields are clocks that were read together.
    @inlinable public static var startTicks: Field<UInt64> { Field(at: 48) }
    /// Nanoseconds of the monotonic clock.
    @inlinable public static var startMonotonic: Field<UInt64> { Field(at: 56) }
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    @inlinable public static var startRealtime: Field<UInt64> { Field(at: 64) }
    /// Ticks at the latest reading of the same three clocks, which is made whenever a segment is
    /// assigned, and when recording stops.
    ///
    /// The two readings give the rate of the ticks.
    @inlinable public static var latestTicks: Field<UInt64> { Field(at: 72) }
    /// Nanoseconds of the monotonic clock.
    @inlinable public static var latestMonotonic: Field<UInt64> { Field(at: 80) }
    /// Nanoseconds since 1970.
    @inlinable public static var latestRealtime: Field<UInt64> { Field(at: 88) }
    /// Odd while the three fields before it are being changed; a reader then tries again.
    @inlinable public static var latestSequence: Field<UInt64> { Field(at: 96) }
    /// The number of the process, in its own namespace.
    @inlinable public static var processID: Field<UInt32> { Field(at: 104) }
    /// Its effective user.
    @inlinable public static var userID: Field<UInt32> { Field(at: 108) }
    /// Field 22 of `/proc/PID/stat`, as it is read outside of time namespaces: distinguishes a
    /// process from a later one with the same number.
    @inlinable public static var processStart: Field<UInt64> { Field(at: 112) }
    /// Inode of `/proc/self/ns/pid`: process numbers are only meaningful inside it.
    @inlinable public static var processNamespace: Field<UInt64> { Field(at: 120) }
    /// The first eight of the 16 bytes of the boot identifier.
    @inlinable public static var bootIDHigh: Field<UInt64> { Field(at: 128) }
    /// The last eight of them.
    @inlinable public static var bootIDLow: Field<UInt64> { Field(at: 136) }
    /// ``StackMode``.
    @inlinable public static var stackMode: Field<UInt32> { Field(at: 144) }
    /// The level in force when recording began, which may be higher than the requested one
    /// (``TraceLevel``).
    @inlinable public static var startLevel: Field<UInt32> { Field(at: 148) }
    /// The number of low bits of an entity's identifier that are the slot index; the other bits are
    /// the low bits of the serial.
    @inlinable public static var slotBits: Field<UInt32> { Field(at: 152) }
    /// ``RecordingMode``.
    @inlinable public static var mode: Field<UInt32> { Field(at: 156) }
    /// String number (``StringHeap``): the name of the program.
    @inlinable public static var programName: Field<UInt32> { Field(at: 160) }
    /// String number: the path of its executable.
    @inlinable public static var executablePath: Field<UInt32> { Field(at: 164) }
    /// String number: a remark by the recorder, for example that it had to use another directory; 0
    /// if there is none.
    @inlinable public static var note: Field<UInt32> { Field(at: 168) }
    /// ``Architecture``.
    @inlinable public static var architecture: Field<UInt32> { Field(at: 172) }
    /// Ticks when recording stopped; 0 while it continues, and after a crash.
    @inlinable public static var stopTicks: Field<UInt64> { Field(at: 176) }
    /// The number of entities (signals, subscriptions, timers, owners) that have got a serial so
    /// far.
    @inlinable public static var lastSerial: Field<UInt64> { Field(at: 184) }
    /// The epoch, which is a number rising from 1, of the segment that was assigned last.
    @inlinable public static var lastEpoch: Field<UInt64> { Field(at: 192) }
    /// Records that were dropped because no segment was available, in total.
    @inlinable public static var lostRecords: Field<UInt64> { Field(at: 200) }
    /// Segments that were recycled, whether or not they held records.
    ///
    /// Together with the segments in the file, they account for every epoch that was assigned.
    @inlinable public static var recycledSegments: Field<UInt64> { Field(at: 208) }
    /// The program's own level, to which no lease contributes (``TraceLevel``).
    @inlinable public static var baseLevel: Field<UInt32> { Field(at: 256) }
    /// The highest level that a lease can set (``TraceLevel``).
    @inlinable public static var maximumLevel: Field<UInt32> { Field(at: 260) }
    /// ``TailState``.
    @inlinable public static var tailState: Field<UInt32> { Field(at: 264) }
    /// The `errno` of the error that ended the tail, or 0.
    @inlinable public static var tailError: Field<UInt32> { Field(at: 268) }
    /// The maximum size of a stream's file in bytes; 0: no limit.
    @inlinable public static var limit: Field<UInt64> { Field(at: 272) }
    /// ``EndingKind``: how the process ended, if that is known.
    @inlinable public static var endedBy: Field<UInt32> { Field(at: 280) }
    /// The exit status, or the number of the signal.
    @inlinable public static var endNumber: Field<UInt32> { Field(at: 284) }
    /// Ticks when the signal arrived; 0 if that is not known.
    @inlinable public static var endTicks: Field<UInt64> { Field(at: 288) }
    /// The row of the thread that caused the signal; 0 if that is not known.
    @inlinable public static var endThread: Field<UInt32> { Field(at: 296) }
    /// The `errno` of the error that stopped recording early; 0 if none did.
    @inlinable public static var stopError: Field<UInt32> { Field(at: 300) }
    /// The chain (asynchronous backtrace) of the work in which the signal arrived; 0 if none is
    /// known.
    @inlinable public static var endChain: Field<UInt32> { Field(at: 304) }
    /// The number of the stack on which the signal arrived; 0 if unknown.
    ///
    /// It always has ``StackHeap/limit`` frames; those after the last real one contain 1.
    @inlinable public static var endStack: Field<UInt32> { Field(at: 308) }
    /// String number: the places with separate levels, in the form of `RXTRACE`; 0 if there are
    /// none.
    @inlinable public static var places: Field<UInt32> { Field(at: 312) }
    /// The number of seconds that the ring was requested to cover; 0 if none was requested.
    @inlinable public static var lookBack: Field<UInt32> { Field(at: 316) }
    /// The number of bits of the generation that the control word contains.
    @inlinable public static var controlGenerationBits: Int { 24 }
    /// The offset of the four leases by which inspectors raise the level (``Lease``).
    @inlinable public static var leases: Int { 512 }
    /// The offset of the table of regions, which has ``regionCount`` rows of ``Region``.
    @inlinable public static var regions: Int { 1024 }
    /// The number of rows of that table.
    @inlinable public static var regionCount: Int { 16 }
  }
}
