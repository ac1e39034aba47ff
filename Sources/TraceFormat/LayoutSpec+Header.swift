extension LayoutSpec {
  /// The file header (TraceFormat §2).
  package static let header = StructureSpec(
    name: "header",
    layoutName: "FileHeader",
    byteCount: Layout.FileHeader.byteCount,
    fields: headerFields + moreHeaderFields
  )

  private typealias Header = Layout.FileHeader

  private static let headerFields: [FieldSpec] = [
    FieldSpec(
      "magic",
      Header.magic,
      .hex,
      "The bytes `RXTRACE` and a zero. Stored last, so that a file that has them has a whole header."
    ),
    FieldSpec("majorVersion", Header.majorVersion, "1. A reader MUST refuse another one."),
    FieldSpec(
      "minorVersion",
      Header.minorVersion,
      "8. A reader MUST accept a higher one and skip what it does not know."
    ),
    FieldSpec(
      "state",
      Header.state,
      names(FileState.self),
      "0 starting, 1 recording (or died while recording), 2 stopped cleanly."
    ),
    FieldSpec(
      "control",
      Header.control,
      .hex,
      "The control word (§10): level in bits 0–3, stop in bit 4, the low 24 bits of the generation in bits 8–31."
    ),
    FieldSpec(
      "clock",
      Header.clock,
      names(ClockKind.self),
      "0: ticks are nanoseconds of the monotonic clock. 1: ticks are an invariant cycle counter."
    ),
    FieldSpec(
      "fixedByteCount",
      Header.fixedByteCount,
      "Bytes of the file with room for all regions, without the tail."
    ),
    FieldSpec(
      "generation",
      Header.generation,
      "The generation that is written now. The first is 1."
    ),
    FieldSpec(
      "recycledGeneration",
      Header.recycledGeneration,
      "The highest generation of any segment that was recycled; 0 while none was. Stored before the segment's epoch becomes 0."
    ),
    FieldSpec(
      "startTicks",
      Header.startTicks,
      "Ticks when recording began, read together with the next two."
    ),
    FieldSpec("startMonotonic", Header.startMonotonic, "Nanoseconds of the monotonic clock."),
    FieldSpec("startRealtime", Header.startRealtime, "Nanoseconds since 1970-01-01 00:00 UTC."),
    FieldSpec(
      "latestTicks",
      Header.latestTicks,
      "The same three again, taken when a segment was handed out last, or when recording stopped."
    ),
    FieldSpec("latestMonotonic", Header.latestMonotonic, "Nanoseconds of the monotonic clock."),
    FieldSpec("latestRealtime", Header.latestRealtime, "Nanoseconds since 1970."),
    FieldSpec(
      "latestSequence",
      Header.latestSequence,
      "Odd while the three fields before are being written; 0 while they never were."
    ),
  ]

  private static let moreHeaderFields: [FieldSpec] = [
    FieldSpec("processID", Header.processID, "The process, in its own namespace."),
    FieldSpec("userID", Header.userID, "Its effective user."),
    FieldSpec(
      "processStart",
      Header.processStart,
      "Field 22 of `/proc/PID/stat`, as it is read outside of time namespaces."
    ),
    FieldSpec("processNamespace", Header.processNamespace, "Inode of `/proc/self/ns/pid`."),
    FieldSpec(
      "bootIDHigh",
      Header.bootIDHigh,
      .hex,
      "The first 16 hexadecimal digits of the boot identifier."
    ),
    FieldSpec("bootIDLow", Header.bootIDLow, .hex, "The last 16."),
    FieldSpec(
      "stackMode",
      Header.stackMode,
      names(StackMode.self),
      "0 no stacks, 1 at hops, 2 at hops and root subscriptions, 3 the same, but of root subscriptions at most the 16 innermost frames (since 1.5)."
    ),
    FieldSpec(
      "startLevel",
      Header.startLevel,
      names(TraceLevel.self),
      "The level in force when recording began: 0 off, 1 graph, 2 events, 3 values."
    ),
    FieldSpec(
      "slotBits",
      Header.slotBits,
      "Low bits of an identifier that are the slot index (§6); 1 to 31."
    ),
    FieldSpec(
      "mode",
      Header.mode,
      names(RecordingMode.self),
      "0: a ring, the oldest sealed segment is recycled. 1: a stream, sealed segments are appended to the file first (§4)."
    ),
    FieldSpec("programName", Header.programName, .string, "The name of the program."),
    FieldSpec("executablePath", Header.executablePath, .string, "Where its executable was."),
    FieldSpec(
      "note",
      Header.note,
      .string,
      "A message of the recorder about itself, for example that it had to use another directory; 0 if none."
    ),
    FieldSpec(
      "architecture",
      Header.architecture,
      names(Architecture.self),
      "0 unknown, 1 x86_64, 2 arm64."
    ),
    FieldSpec(
      "stopTicks",
      Header.stopTicks,
      "Ticks when recording stopped; 0 while it runs and after a crash."
    ),
    FieldSpec("lastSerial", Header.lastSerial, "The highest serial given to an entity."),
    FieldSpec("lastEpoch", Header.lastEpoch, "The epoch of the segment that was handed out last."),
    FieldSpec("lostRecords", Header.lostRecords, "Records dropped because no segment was free."),
    FieldSpec(
      "recycledSegments",
      Header.recycledSegments,
      "Segments recycled, with records or without, and not in the tail. Added to before their epoch becomes 0."
    ),
    FieldSpec(
      "baseLevel",
      Header.baseLevel,
      names(TraceLevel.self),
      "The level that the program asks for itself, as `startLevel`."
    ),
    FieldSpec(
      "maximumLevel",
      Header.maximumLevel,
      names(TraceLevel.self),
      "The highest level that a lease (§10) may raise it to."
    ),
    FieldSpec(
      "tailState",
      Header.tailState,
      names(TailState.self),
      "0 no tail, 1 growing, 2 ended at the limit, 3 ended by an error."
    ),
    FieldSpec("tailError", Header.tailError, "The system's number of that error, or 0."),
    FieldSpec("limit", Header.limit, "The most bytes the file of a stream may have; 0: no limit."),
    FieldSpec(
      "endedBy",
      Header.endedBy,
      names(EndingKind.self),
      "How the process ended (§11): 0 not known, 1 it exited, 2 by a signal. Stored with release, after `endNumber`, `endTicks`, `endThread`, `endChain` and `endStack`."
    ),
    FieldSpec("endNumber", Header.endNumber, "The exit status, or the number of the signal."),
    FieldSpec(
      "endTicks",
      Header.endTicks,
      "Ticks when the signal came; 0 where that is not known."
    ),
    FieldSpec(
      "endThread",
      Header.endThread,
      "The row of the thread that caused the signal; 0 where that is not known."
    ),
    FieldSpec(
      "stopError",
      Header.stopError,
      "The system's number of the error that stopped recording before its time, for example that the disk was full; 0 if none did. Since version 1.3."
    ),
    FieldSpec(
      "endChain",
      Header.endChain,
      "The chain of the work in which the signal came; 0 if none is known. Since version 1.5."
    ),
    FieldSpec(
      "endStack",
      Header.endStack,
      "The number of the stack on which the signal came; 0 if it is not known. It has 64 frames, of which those after the last one are 1. Since version 1.5."
    ),
    FieldSpec(
      "places",
      Header.places,
      .string,
      "The places with a level of their own, as in `events:Shop,values:Checkout.swift`; 0 if there are none. Since version 1.7."
    ),
    FieldSpec(
      "lookBack",
      Header.lookBack,
      "Seconds that the ring was asked to look back; 0 if none were asked for. Since version 1.7."
    ),
  ]
}
