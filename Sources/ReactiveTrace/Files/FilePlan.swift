/// The size and position of each region of a trace file, for a ring of a given size.
struct FilePlan: Equatable {
  /// The size of the file in bytes.
  let byteCount: Int
  /// How many bits of an entity's identifier hold the index of its slot in the slab, the table of
  /// live entities.
  let slotBits: UInt32
  private let rows: [Row]

  struct Row: Equatable {
    var kind: RegionKind
    var offset: Int
    var size: Int
    var entrySize: Int
    var capacity: Int
  }

  /// The size of the smallest ring in bytes: four segments.
  static var smallestRing: Int { 4 * Layout.Segment.size }
  /// The size of the largest ring in bytes.
  static var largestRing: Int { Int(RingEstimate.largest) }

  /// Plans a file whose ring has `ringSize` bytes, limited to the smallest and the largest size and
  /// rounded down to whole segments.
  init(ringSize: Int) {
    let ringSize = min(max(ringSize, Self.smallestRing), Self.largestRing)
    let segments = ringSize / Layout.Segment.size
    // A ring of 64 MiB has 1024 segments and 2^18 slots. Doubling or halving the size adds or
    // removes one slot bit, within limits of 2^10 and 2^22 slots: the other bits of an identifier
    // are needed for the serial.
    var bits: UInt32 = 10
    while bits < 22, 1 << Int(bits) < segments * 256 { bits += 1 }
    let slots = 1 << Int(bits)
    let sites = min(max(slots / 64, 256), 16384)
    let marks = segments >= 64 ? 64 : 32

    var rows: [Row] = []
    var end = Layout.FileHeader.byteCount
    func place(_ kind: RegionKind, _ entrySize: Int, _ capacity: Int) {
      let size = entrySize * capacity
      rows.append(
        Row(kind: kind, offset: end, size: size, entrySize: entrySize, capacity: capacity)
      )
      end = (end + size + 4095) / 4096 * 4096
    }
    place(.slab, Layout.Slot.byteCount, slots)
    place(.sites, Layout.Site.byteCount, sites)
    place(.upstreams, Layout.Upstream.byteCount, slots / 4)
    place(.strings, 1, min(max(slots * 16, 64 << 10), 16 << 20))
    place(.stacks, 1, min(max(slots * 16, 64 << 10), 16 << 20))
    place(.chains, Layout.Chain.byteCount, min(max(slots / 4, 1024), 1 << 18))
    place(.schedulers, Layout.Scheduler.byteCount, min(max(slots / 64, 64), 4096))
    place(.threads, Layout.Thread.byteCount, min(max(slots / 16, 256), 16384))
    place(.images, Layout.Image.byteCount, slots >= 1 << 14 ? 1024 : 256)
    place(.marks, Layout.Mark.byteCount, marks)
    place(.markCounts, Layout.MarkCount.byteCount, marks * sites)
    place(.arguments, Layout.Argument.byteCount, min(max(slots / 4, 1024), Layout.Argument.limit))
    // Last, so that unused segments can be cut off.
    place(.segments, Layout.Segment.size, segments)
    self.rows = rows
    byteCount = end
    slotBits = bits
  }

  /// The plan of one region.
  func row(_ kind: RegionKind) -> Row {
    for row in rows where row.kind == kind { return row }
    preconditionFailure("FilePlan: every region has a row")
  }
}
