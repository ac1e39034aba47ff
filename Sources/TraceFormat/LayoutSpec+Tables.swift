extension LayoutSpec {
  /// The rows of all tables (TraceFormat §6 to §8).
  package static let tables: [RegionKind: StructureSpec] = [
    .slab: slot, .sites: site,
    .upstreams: StructureSpec(
      name: "upstream",
      layoutName: "Upstream",
      byteCount: Layout.Upstream.byteCount,
      fields: [
        FieldSpec("signal", Layout.Upstream.signal, "Identifier of the upstream signal."),
        FieldSpec("next", Layout.Upstream.next, "The next row of the same signal, or 0."),
      ]
    ),
    .chains: StructureSpec(
      name: "chain",
      layoutName: "Chain",
      byteCount: Layout.Chain.byteCount,
      fields: [
        FieldSpec("stack", Layout.Chain.stack, "Stack number: where the work was scheduled."),
        FieldSpec(
          "parent",
          Layout.Chain.parent,
          "The chain of the work that scheduled it, always a lower row; 0 if none."
        ),
        FieldSpec("scheduler", Layout.Chain.scheduler, "The scheduler that accepted the work."),
        FieldSpec(
          "depth",
          Layout.Chain.depth,
          bits: 0..<24,
          "Links up to the first, this one included; at most 16."
        ),
        FieldSpec(
          "kind",
          Layout.Chain.depth,
          bits: 24..<30,
          names(HopKind.self),
          "How the work got from there to where it runs (below). 0 before version 1.5."
        ),
        FieldSpec(
          "repeated",
          Layout.Chain.depth,
          bits: 30..<31,
          "1: the link stands for two or more like it, one after the other. 0 in version 1.0."
        ),
        FieldSpec("cut", Layout.Chain.depth, bits: 31..<32, "1: older links were left out here."),
      ]
    ),
    .schedulers: StructureSpec(
      name: "scheduler",
      layoutName: "Scheduler",
      byteCount: Layout.Scheduler.byteCount,
      fields: [
        FieldSpec("name", Layout.Scheduler.name, .string, "Its name."),
        FieldSpec(
          "kind",
          Layout.Scheduler.kind,
          names(SchedulerKind.self),
          "0 other, 1 immediate, 2 main, 3 serial queue, 4 concurrent queue, 5 virtual time."
        ),
        FieldSpec("scheduled", Layout.Scheduler.scheduled, "Work accepted."),
        FieldSpec("begun", Layout.Scheduler.begun, "Work begun."),
        FieldSpec("cancelled", Layout.Scheduler.cancelled, "Work cancelled before it began."),
      ]
    ),
    .arguments: StructureSpec(
      name: "argument",
      layoutName: "Argument",
      byteCount: Layout.Argument.byteCount,
      fields: [
        FieldSpec(
          "kind",
          Layout.Argument.kind,
          names(ArgumentKind.self),
          "0 unknown, 1 none, 2 closure, 3 integer, 4 duration, 5 text, 6 part, 7 scheduler, 8 list."
        ),
        FieldSpec(
          "text",
          Layout.Argument.text,
          .string,
          "Text and part: what is shown. Otherwise 0."
        ),
        FieldSpec(
          "value",
          Layout.Argument.value,
          "Integer: the number. Duration: its nanoseconds. Both in two's complement. Scheduler: row in the scheduler table. Otherwise 0."
        ),
      ]
    ),
    .threads: StructureSpec(
      name: "thread",
      layoutName: "Thread",
      byteCount: Layout.Thread.byteCount,
      fields: [
        FieldSpec(
          "systemID",
          Layout.Thread.systemID,
          "The kernel's number of the thread. The row is given to another thread once all rows are in use."
        ),
        FieldSpec("isMain", Layout.Thread.isMain, "1 for the main thread, 0 otherwise."),
        FieldSpec("firstSeen", Layout.Thread.firstSeen, "Ticks of its first record."),
        FieldSpec("ended", Layout.Thread.ended, "Ticks when it ended, or 0."),
        FieldSpec("lost", Layout.Thread.lost, "Its records that were dropped."),
        FieldSpec(
          "name",
          offset: Layout.Thread.name,
          width: Layout.Thread.nameByteCount,
          .text,
          "The kernel's name of the thread, filled with zeros."
        ),
      ]
    ),
    .images: StructureSpec(
      name: "image",
      layoutName: "Image",
      byteCount: Layout.Image.byteCount,
      fields: [
        FieldSpec("base", Layout.Image.base, .hex, "The address it is loaded at."),
        FieldSpec(
          "endOfText",
          Layout.Image.endOfText,
          .hex,
          "The address behind its last executable byte."
        ),
        FieldSpec("path", Layout.Image.path, .string, "Its file."),
        FieldSpec(
          "buildIDByteCount",
          Layout.Image.buildIDByteCount,
          "Bytes of its build identifier, 0 to 32."
        ),
        FieldSpec(
          "buildID",
          offset: Layout.Image.buildID,
          width: Layout.Image.buildIDLimit,
          .bytes,
          "The build identifier, filled with zeros."
        ),
      ]
    ),
    .symbols: StructureSpec(
      name: "symbol",
      layoutName: "Symbol",
      byteCount: Layout.Symbol.byteCount,
      fields: [
        FieldSpec("address", Layout.Symbol.address, .hex, "The return address, as on the stacks."),
        FieldSpec(
          "function",
          Layout.Symbol.function,
          .string,
          "The function, demangled; 0 if it is not known."
        ),
        FieldSpec(
          "file",
          Layout.Symbol.file,
          .string,
          "The path of its source file; 0 if it is not known."
        ),
        FieldSpec("line", Layout.Symbol.line, "The line of the call; 0 if it is not known."),
        FieldSpec(
          "isInlined",
          Layout.Symbol.isInlined,
          "1: the function was inlined into that of the next row."
        ),
        FieldSpec(
          "note",
          Layout.Symbol.note,
          .string,
          "Why something is not known; 0 if nothing is to be said."
        ),
      ]
    ),
    .marks: StructureSpec(
      name: "mark",
      layoutName: "Mark",
      byteCount: Layout.Mark.byteCount,
      fields: [
        FieldSpec(
          "sequence",
          Layout.Mark.sequence,
          "Odd while the row is being written, 0 if it never was."
        ),
        FieldSpec("ticks", Layout.Mark.ticks, "When the mark was set."),
        FieldSpec("name", Layout.Mark.name, .string, "Its name."),
        FieldSpec(
          "kind",
          Layout.Mark.kind,
          names(MarkKind.self),
          "0 set by the program, 1 set by the recorder at intervals."
        ),
        FieldSpec(
          "siteCount",
          Layout.Mark.siteCount,
          "Sites that have a count; the others had none alive."
        ),
        FieldSpec(
          "ordinal",
          Layout.Mark.ordinal,
          "Its place among the marks of its series, from 1 on; 0 if it is not known. Since version 1.2."
        ),
        FieldSpec("liveSignals", Layout.Mark.liveSignals, "Signals alive."),
        FieldSpec(
          "liveSubscriptions",
          Layout.Mark.liveSubscriptions,
          "Subscriptions that had not ended."
        ),
        FieldSpec("liveTimers", Layout.Mark.liveTimers, "Timers armed."),
        FieldSpec(
          "since",
          Layout.Mark.since,
          "`ticks` of the mark before it; 0 in the first, and before version 1.2."
        ),
        FieldSpec(
          "heapInUse",
          Layout.Mark.heapInUse,
          "Bytes that the program has from its heap and has not given back; 0 if that is not known. Since version 1.6."
        ),
        FieldSpec(
          "residentSize",
          Layout.Mark.residentSize,
          "Bytes of the process that are in memory; 0 if that is not known. Since version 1.6."
        ),
      ]
    ),
    .markCounts: StructureSpec(
      name: "count",
      layoutName: "MarkCount",
      byteCount: Layout.MarkCount.byteCount,
      fields: [
        FieldSpec("live", Layout.MarkCount.live, "Live subscriptions of the site at the mark."),
        FieldSpec(
          "minimumLive",
          Layout.MarkCount.minimumLive,
          "The smallest number since the mark before."
        ),
      ]
    ),
  ]
}
