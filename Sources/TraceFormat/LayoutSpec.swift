/// Every structure of the file as a table: the contents of ``Layout`` in a form that can be
/// printed.
///
/// A test compares it with ``Layout``, and another with the tables in
/// <doc:/TraceFormat/TraceFormat>.
package enum LayoutSpec {
  static func names<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> FieldType {
    .names(type.allCases.map { "\($0)" })
  }

  /// A lease (TraceFormat §10).
  package static let lease = StructureSpec(
    name: "lease",
    layoutName: "Lease",
    byteCount: Layout.Lease.byteCount,
    fields: [
      FieldSpec("processID", Layout.Lease.processID, "The process that holds it; 0 if it is free."),
      FieldSpec("level", Layout.Lease.level, names(TraceLevel.self), "The level wanted."),
      FieldSpec(
        "processStart",
        Layout.Lease.processStart,
        "Field 22 of `/proc/PID/stat` of its holder."
      ),
      FieldSpec(
        "expiry",
        Layout.Lease.expiry,
        "Ticks at which it expires. Stored last, with release."
      ),
    ]
  )

  /// A row of the region table (TraceFormat §3).
  package static let region = StructureSpec(
    name: "region",
    layoutName: "Region",
    byteCount: Layout.Region.byteCount,
    fields: [
      FieldSpec(
        "offset",
        Layout.Region.offset,
        "Bytes from the start of the file, a multiple of 8; 0: the file has no such region."
      ),
      FieldSpec("size", Layout.Region.size, "Bytes of the region."),
      FieldSpec(
        "entrySize",
        Layout.Region.entrySize,
        "Bytes from one entry to the next; 1 for heaps. A later minor version MAY make entries longer."
      ),
      FieldSpec(
        "capacity",
        Layout.Region.capacity,
        "Entries (bytes, for heaps) there is room for."
      ),
      FieldSpec(
        "used",
        Layout.Region.used,
        "Entries (bytes, for heaps) from the first on that are or were in use, row 0 included."
      ),
      FieldSpec(
        "lost",
        Layout.Region.lost,
        "Entries that were dropped; for the segments, records."
      ),
    ]
  )

  /// The header of a segment (TraceFormat §4).
  package static let segment = StructureSpec(
    name: "segment",
    layoutName: "Segment",
    byteCount: Layout.Segment.headerByteCount,
    fields: [
      FieldSpec(
        "epoch",
        Layout.Segment.epoch,
        "Unique and rising from 1, below 2^52; 0 while the segment is free or being recycled."
      ),
      FieldSpec(
        "committed",
        Layout.Segment.committed,
        "Bytes in use, this header included: 64 to 65536, a multiple of 16."
      ),
      FieldSpec(
        "state",
        Layout.Segment.state,
        names(SegmentState.self),
        "0 free, 1 current (a thread writes into it), 2 sealed (complete)."
      ),
      FieldSpec(
        "baseTicks",
        Layout.Segment.baseTicks,
        "What the deltas of its records count from."
      ),
      FieldSpec(
        "baseMonotonic",
        Layout.Segment.baseMonotonic,
        "The monotonic clock at about that time, in nanoseconds."
      ),
      FieldSpec(
        "generation",
        Layout.Segment.generation,
        "The generation of all its records (§10)."
      ),
      FieldSpec(
        "thread",
        Layout.Segment.thread,
        "Row in the thread table; 0: shared, its records say whose they are."
      ),
      FieldSpec(
        "lost",
        Layout.Segment.lost,
        "Records that were dropped before the ones in it, because no segment was free."
      ),
      FieldSpec(
        "baseSerial",
        Layout.Segment.baseSerial,
        "The serial of the last entity that was made before the segment was taken; the serials of entities in short records follow from it (§5). 0 before version 1.8."
      ),
    ]
  )

  /// A slot of the slab (TraceFormat §6).
  package static let slot = StructureSpec(
    name: "slot",
    layoutName: "Slot",
    byteCount: Layout.Slot.byteCount,
    fields: [
      FieldSpec(
        "serial",
        Layout.Slot.serial,
        "Unique and rising from 1 over all entities; 0 while the slot is free or being filled."
      ),
      FieldSpec("createdAt", Layout.Slot.createdAt, "Ticks."),
      FieldSpec(
        "lastEventAt",
        Layout.Slot.lastEventAt,
        "Ticks of the last event, the last fire, or, for a signal, the last subscription; 0 if there was none."
      ),
      FieldSpec(
        "eventCount",
        Layout.Slot.eventCount,
        "Subscription: events that passed. Signal: subscriptions it ever had; before version 1.5, roots included. Timer: fires. Owner: subscriptions it ever had."
      ),
      FieldSpec(
        "kind",
        Layout.Slot.state,
        bits: 0..<8,
        names(EntityKind.self),
        "1 signal, 2 subscription, 3 timer, 4 owner."
      ),
      FieldSpec(
        "state",
        Layout.Slot.state,
        bits: 8..<16,
        names(EntityState.self),
        "0 created, 1 active, 2 inactive, 3 disposing, 4 ended."
      ),
      FieldSpec(
        "scheduler",
        Layout.Slot.state,
        bits: 16..<32,
        "Row in the scheduler table; 0 if none is known. Signal: row in the table of arguments (§8); before version 1.5, nothing that a reader needs."
      ),
      FieldSpec("site", Layout.Slot.site, "Row in the site table."),
      FieldSpec(
        "signal",
        Layout.Slot.signal,
        "Subscription: identifier of its signal. Timer: period in microseconds, 0 if it fires once. Signal: string number of the name it was given, or 0."
      ),
      FieldSpec(
        "link",
        Layout.Slot.link,
        "Subscription: its downstream. Signal: its first upstream. Timer: its subscription. 0 if none."
      ),
      FieldSpec(
        "chain",
        Layout.Slot.chain,
        "Subscription: the hop chain it was made in. Timer: that of its work, which begins where it was armed. Signal: first row of its further upstreams, or 0."
      ),
      FieldSpec(
        "owner",
        Layout.Slot.owner,
        "Subscription: the owner that it was last bound to, or 0; this owner may have ended. Signal: bit 0 is set if the program no longer refers to the signal, and only its subscriptions do; the other bits are the chain of the call of the operator that made it, or 0 if that was not captured."
      ),
      FieldSpec(
        "depth",
        Layout.Slot.depth,
        "Subscription: values it holds, or events that wait at its gate. Signal: subscriptions it has now; before version 1.5, roots included. Timer: fires since the last one that led to an event. Owner: subscriptions it has that have not ended."
      ),
      FieldSpec(
        "statusGeneration",
        Layout.Slot.statusGeneration,
        "Low 30 bits of the generation in which the status of the entity was written last, 32 before version 1.7; the other two are the writer's own."
      ),
    ]
  )

  /// A site with its counters (TraceFormat §7).
  package static let site = StructureSpec(
    name: "site",
    layoutName: "Site",
    byteCount: Layout.Site.byteCount,
    fields: [
      FieldSpec("name", Layout.Site.name, .string, "The operator's name."),
      FieldSpec("file", Layout.Site.file, .string, "`#fileID`: module, slash, file name."),
      FieldSpec("line", Layout.Site.line, "The line of the call."),
      FieldSpec("column", Layout.Site.column, "Its column."),
      FieldSpec("traits", Layout.Site.traits, .hex, "What the operator does, as listed below."),
      FieldSpec(
        "minimumLive",
        Layout.Site.minimumLive,
        "The smallest number of live subscriptions since the last mark."
      ),
      FieldSpec("signalsCreated", Layout.Site.signalsCreated, "Signals made here."),
      FieldSpec(
        "signalsReleased",
        Layout.Site.signalsReleased,
        "Those of them that were released."
      ),
      FieldSpec("subscribed", Layout.Site.subscribed, "Subscriptions begun."),
      FieldSpec(
        "ended",
        Layout.Site.ended(0),
        count: 8,
        "Subscriptions ended, by reason: 0 completed, 1 failed, 2 cancelled, 3 owner gone, 4 source gone; the rest is reserved."
      ),
      FieldSpec("released", Layout.Site.released, "Subscription objects released."),
      FieldSpec(
        "eventsOfReleased",
        Layout.Site.eventsOfReleased,
        "Events of released subscriptions; those of the others stand in their slots."
      ),
      FieldSpec("refused", Layout.Site.refused, "Events dropped after disposal or termination."),
      FieldSpec(
        "disposablesReleased",
        Layout.Site.disposablesReleased,
        "Disposables released while their subscription lived."
      ),
      FieldSpec("timersArmed", Layout.Site.timersArmed, "Timers armed."),
      FieldSpec("timersEnded", Layout.Site.timersEnded, "Timers ended."),
      FieldSpec("timerFires", Layout.Site.timerFires, "Fires of all its timers."),
      FieldSpec(
        "lifetime",
        Layout.Site.lifetime(0),
        count: Layout.Site.lifetimeCount,
        "Subscriptions ended after 2^n to 2^(n+1) − 1 nanoseconds, n from 0 to 47; shorter ones in the first, longer ones in the last."
      ),
      FieldSpec(
        "ownersCreated",
        Layout.Site.ownersCreated,
        "Owners made here that got a first subscription. 0 in version 1.0."
      ),
      FieldSpec(
        "ownersEnded",
        Layout.Site.ownersEnded,
        "Those of them that ended. 0 in version 1.0."
      ),
      FieldSpec(
        "level",
        Layout.Site.level,
        names(TraceLevel.self),
        "The level at which this line is recorded, if its place has a level of its own: 1 graph, 2 events, 3 values. 0 stands for the level of the whole program, and an unknown number for 1. Since version 1.7."
      ),
    ]
  )

  /// Every structure, in the order of `TraceFormat.md`.
  package static let all: [StructureSpec] =
    [header, lease, region, segment] + RegionKind.allCases.compactMap { tables[$0] }
}
