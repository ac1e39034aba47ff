extension TraceReader {
  /// The entities that are alive, in the order of their slots.
  func readSlots(_ tables: TableReader, _ log: inout ProblemLog) -> [TraceSlot] {
    let slotBits = tables.header.slotBits
    var upstreams = UpstreamRows(tables)
    var slots: [TraceSlot] = []
    tables.forEachStableRow(of: .slab, key: Layout.Slot.serial) { index, row in
      var slot = TraceSlot()
      slot.serial = Layout.Slot.serial.load(from: row)
      let word = Layout.Slot.state.load(from: row)
      let place = tables.place(.slab, index)
      guard let kind = EntityKind(rawValue: Packing.kind(ofState: word)), kind != .none,
        let state = EntityState(rawValue: Packing.state(ofState: word))
      else {
        log.note(
          "slot",
          at: place,
          "slot \(index) has kind \(Packing.kind(ofState: word)) and state \(Packing.state(ofState: word)), which this version does not know; it is skipped"
        )
        return
      }
      guard UInt64(index) < 1 << UInt64(slotBits) else {
        log.note(
          "slot",
          at: place,
          "slot \(index) lies beyond the \(slotBits) bits of an identifier's index; it is skipped"
        )
        return
      }
      slot.id = Packing.identifier(
        slot: UInt32(index),
        serial: slot.serial,
        slotBits: slotBits
      )
      slot.kind = kind
      slot.state = state
      slot.scheduler = Packing.scheduler(ofState: word)
      slot.createdAt = Layout.Slot.createdAt.load(from: row)
      slot.lastEventAt = Layout.Slot.lastEventAt.load(from: row)
      slot.eventCount = Layout.Slot.eventCount.load(from: row)
      slot.site = Layout.Slot.site.load(from: row)
      slot.signal = Layout.Slot.signal.load(from: row)
      slot.link = TraceID(rawValue: Layout.Slot.link.load(from: row))
      slot.chain = Layout.Slot.chain.load(from: row)
      slot.owner = Layout.Slot.owner.load(from: row)
      slot.depth = Layout.Slot.depth.load(from: row)
      if kind == .signal, slot.chain != 0 {
        slot.moreUpstreams = upstreams.list(from: slot.chain, of: index, &log)
        slot.chain = 0
      }
      slots.append(slot)
    }
    return slots
  }
}

/// The overflow region of further upstreams: lists linked by row (TraceFormat §8).
private struct UpstreamRows {
  private let tables: TableReader
  private var rows: [(signal: UInt32, next: UInt32)]?
  /// Rows that belong to a signal already.
  ///
  /// A list that meets one is a cycle or two lists in one.
  private var taken: [Bool] = []

  init(_ tables: TableReader) { self.tables = tables }

  mutating func list(from first: UInt32, of slot: Int, _ log: inout ProblemLog) -> [TraceID] {
    if rows == nil {
      var read: [(signal: UInt32, next: UInt32)] = []
      tables.forEachRow(of: .upstreams) { _, row in
        read.append((Layout.Upstream.signal.load(from: row), Layout.Upstream.next.load(from: row)))
      }
      taken = [Bool](repeating: false, count: read.count)
      rows = read
    }
    guard let rows else { return [] }
    var upstreams: [TraceID] = []
    var next = first
    while next != 0 {
      guard Int(next) < rows.count, !taken[Int(next)] else {
        log.note(
          "upstream",
          at: tables.place(.slab, slot),
          "the upstreams of the signal in slot \(slot) lead to row \(next), which is \(Int(next) < rows.count ? "part of a list already" : "not in the table"); the rest is unknown"
        )
        break
      }
      taken[Int(next)] = true
      upstreams.append(TraceID(rawValue: rows[Int(next)].signal))
      next = rows[Int(next)].next
    }
    return upstreams
  }
}
