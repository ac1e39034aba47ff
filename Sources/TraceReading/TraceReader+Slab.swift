extension TraceReader {
  /// Updates `slots` from the slab, the table of the entities that have not been released.
  ///
  /// The array is in the order of the slab's rows. Only rows whose bytes have changed are decoded.
  func readSlots(
    _ tables: TableReader,
    into slots: inout [TraceSlot],
    _ image: inout SlabImage,
    _ log: inout ProblemLog
  ) {
    let slotBits = tables.header.slotBits
    if !image.isComparable(with: tables) {
      slots = []
      image = SlabImage(of: tables)
    }
    var upstreams = UpstreamRows(tables)
    var changed: [(row: Int, slot: TraceSlot?)] = []
    image.update(tables) { index, row in
      let slot = row.flatMap { decode($0, index, tables, slotBits, &upstreams, &log) }
      changed.append((index, slot))
    }
    guard !changed.isEmpty else { return }
    func row(_ slot: TraceSlot) -> Int { Int(Packing.slot(of: slot.id, slotBits: slotBits)) }
    var places: [Int] = []
    for (index, slot) in changed {
      let place = slots.prefixCount { row($0) < index }
      let exists = place < slots.count && row(slots[place]) == index
      if exists, let slot {
        slots[place] = slot
      } else if exists || slot != nil {
        places.append(index)
      }
    }
    guard !places.isEmpty else { return }
    // Some entities were added or removed, so the list is rebuilt.
    var merged: [TraceSlot] = []
    merged.reserveCapacity(slots.count + changed.count)
    var next = 0
    for (index, slot) in changed {
      while next < slots.count, row(slots[next]) < index {
        merged.append(slots[next])
        next += 1
      }
      if next < slots.count, row(slots[next]) == index { next += 1 }
      if let slot { merged.append(slot) }
    }
    slots = merged + slots[next...]
  }

  private func decode(
    _ row: UnsafeRawBufferPointer,
    _ index: Int,
    _ tables: TableReader,
    _ slotBits: UInt32,
    _ upstreams: inout UpstreamRows,
    _ log: inout ProblemLog
  ) -> TraceSlot? {
    guard !tables.isLost(.slab, index) else { return nil }
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
      return nil
    }
    guard UInt64(index) < 1 << UInt64(slotBits) else {
      log.note(
        "slot",
        at: place,
        "slot \(index) lies beyond the \(slotBits) bits of an identifier's index; it is skipped"
      )
      return nil
    }
    slot.id = Packing.identifier(slot: UInt32(index), serial: slot.serial, slotBits: slotBits)
    slot.kind = kind
    slot.state = state
    if kind == .signal {
      slot.argument = Packing.argument(ofState: word)
    } else {
      slot.scheduler = Packing.scheduler(ofState: word)
    }
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
    }
    if kind == .signal {
      slot.chain = Packing.chain(ofMade: slot.owner)
      slot.owner &= 1
    }
    return slot
  }
}

/// The region with the further upstreams of signals that have several: linked lists, in which each
/// row refers to the next (TraceFormat §6).
private struct UpstreamRows {
  private let tables: TableReader
  private var rows: [UInt32: (signal: UInt32, next: UInt32)]?
  /// Rows that already belong to a signal.
  ///
  /// A list that leads to such a row is a cycle, or runs into another list.
  private var taken: Set<UInt32> = []

  init(_ tables: TableReader) { self.tables = tables }

  mutating func list(from first: UInt32, of slot: Int, _ log: inout ProblemLog) -> [TraceID] {
    if rows == nil {
      var read: [UInt32: (signal: UInt32, next: UInt32)] = [:]
      tables.forEachFilledRow(of: .upstreams) { index, row in
        read[UInt32(clamping: index)] = (
          Layout.Upstream.signal.load(from: row), Layout.Upstream.next.load(from: row)
        )
      }
      rows = read
    }
    let count = tables.header.regions[.upstreams]?.readable ?? 0
    var upstreams: [TraceID] = []
    var next = first
    while next != 0 {
      guard Int(next) < count, !taken.contains(next) else {
        log.note(
          "upstream",
          at: tables.place(.slab, slot),
          "the upstreams of the signal in slot \(slot) lead to row \(next), which is \(Int(next) < count ? "part of a list already" : "not in the table"); the rest is unknown"
        )
        break
      }
      if tables.isLost(.upstreams, Int(next)) { break }
      taken.insert(next)
      let row = rows?[next] ?? (0, 0)
      upstreams.append(TraceID(rawValue: row.signal))
      next = row.next
    }
    return upstreams
  }
}
