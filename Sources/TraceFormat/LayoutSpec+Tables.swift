extension LayoutSpec {
  /// The layout of the rows of each table (TraceFormat §6 to §8).
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
          "The number of links in the chain, this one included; at most 16."
        ),
        FieldSpec(
          "kind",
          Layout.Chain.depth,
          bits: 24..<30,
          names(HopKind.self),
          "The kind of hop by which the work got from `stack` to where it runs; the kinds are listed below. 0 before version 1.5."
        ),
        FieldSpec(
          "repeated",
          Layout.Chain.depth,
          bits: 30..<31,
          "1: the link stands for two or more equal links in a row. 0 in version 1.0."
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
        FieldSpec(
          "scheduled",
          Layout.Scheduler.scheduled,
          "The number of pieces of work that it accepted."
        ),
        FieldSpec("begun", Layout.Scheduler.begun, "The number of them that began."),
        FieldSpec(
          "cancelled",
          Layout.Scheduler.cancelled,
          "The number of them that were cancelled before they began."
        ),
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
          "For text: the argument as written in code. For part: the name of the signal within its object. Otherwise 0."
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
          "The kernel's ID of the thread. When no unused row is left, a new thread gets the row of the thread that ended first."
        ),
        FieldSpec("isMain", Layout.Thread.isMain, "1 for the main thread, 0 otherwise."),
        FieldSpec("firstSeen", Layout.Thread.firstSeen, "Ticks of its first record."),
        FieldSpec("ended", Layout.Thread.ended, "Ticks when it ended, or 0."),
        FieldSpec("lost", Layout.Thread.lost, "The number of its records that were dropped."),
        FieldSpec(
          "name",
          offset: Layout.Thread.name,
          width: Layout.Thread.nameByteCount,
          .text,
          "The kernel's name for the thread, padded with zeros."
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
          "The address just past its last executable byte."
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
          "The build identifier, padded with zeros."
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
          "Why something is not known; 0 if there is nothing to say."
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
          "The number of sites that have a count at the mark, which are the first rows of the table of sites; the rows behind them had no live subscriptions."
        ),
        FieldSpec(
          "ordinal",
          Layout.Mark.ordinal,
          "Its number within its series, the marks that are compared with each other, from 1 on; 0 if it is not known. Since version 1.2."
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
          "`ticks` of the previous mark; 0 in the first mark, and before version 1.2."
        ),
        FieldSpec(
          "heapInUse",
          Layout.Mark.heapInUse,
          "Bytes of the heap that the program has allocated and not freed; 0 if that is not known. Since version 1.6."
        ),
        FieldSpec(
          "residentSize",
          Layout.Mark.residentSize,
          "The resident set size of the process, in bytes; 0 if that is not known. Since version 1.6."
        ),
      ]
    ),
    .markCounts: StructureSpec(
      name: "count",
      layoutName: "MarkCount",
      byteCount: Layout.MarkCount.byteCount,
      fields: [
        FieldSpec(
          "live",
          Layout.MarkCount.live,
          "The number of live subscriptions of the site at the mark."
        ),
        FieldSpec(
          "minimumLive",
          Layout.MarkCount.minimumLive,
          "The smallest number since the previous mark."
        ),
      ]
    ),
  ]
}
