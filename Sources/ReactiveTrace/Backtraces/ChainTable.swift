import CReactiveTraceShims

/// Asynchronous backtraces: which stack scheduled work, and in which work it ran itself.
///
/// `@unchecked Sendable`: a row is written before the index releases it and not changed; inserting
/// wants the table lock.
struct ChainTable: @unchecked Sendable {
  let region: MappedRegion
  private let index: InternIndex

  /// One link.
  struct Link {
    var stack: UInt32
    var parent: UInt32
    var scheduler: UInt32
  }

  init(region: MappedRegion) throws(TraceError) {
    self.region = region
    index = try InternIndex(capacity: region.capacity)
    // Row 0 stands for work that was not scheduled.
    region.used = 1
  }

  /// The chain to use instead of making one: work that schedules itself again and again from the same
  /// place does not get a longer chain every time.
  func repeated(_ link: Link) -> UInt32? {
    guard link.parent != 0, Int(link.parent) < region.capacity else { return nil }
    let row = region.entry(Int(link.parent))
    return Layout.Chain.stack.relaxed(at: row) == link.stack
      && Layout.Chain.scheduler.relaxed(at: row) == link.scheduler ? link.parent : nil
  }

  /// The number of a chain that was stored before, or 0.
  ///
  /// Needs no lock.
  func find(_ link: Link) -> UInt32 { find(link, isCut: false) }

  /// The number of the chain that `link` makes of its parent; 0 if there is no room.
  ///
  /// Wants the table lock.
  func intern(_ link: Link) -> UInt32 {
    let parentDepth = depth(link.parent)
    guard Int(parentDepth) >= Layout.Chain.depthLimit else {
      return insert(link, depth: parentDepth + 1, isCut: false)
    }
    // Too long: goes on from a copy of the newer half. The rows it was copied from stay.
    let kept = copy(link.parent, links: Layout.Chain.depthLimit / 2)
    return insert(
      Link(stack: link.stack, parent: kept.chain, scheduler: link.scheduler),
      depth: kept.depth + 1,
      isCut: kept.depth == 0
    )
  }

  /// A chain of the newest `links` links of another one, the oldest of them marked as cut.
  private func copy(_ chain: UInt32, links: Int) -> (chain: UInt32, depth: UInt32) {
    guard links > 0, chain != 0 else { return (0, 0) }
    let link = link(chain)
    let parent = copy(link.parent, links: links - 1)
    let copied = insert(
      Link(stack: link.stack, parent: parent.chain, scheduler: link.scheduler),
      depth: parent.depth + 1,
      isCut: parent.depth == 0
    )
    return copied == 0 ? (0, 0) : (copied, parent.depth + 1)
  }

  private func find(_ link: Link, isCut: Bool) -> UInt32 {
    index.find(Self.hash(link, isCut)) { number in
      let row = region.entry(Int(number))
      return Layout.Chain.stack.relaxed(at: row) == link.stack
        && Layout.Chain.parent.relaxed(at: row) == link.parent
        && Layout.Chain.scheduler.relaxed(at: row) == link.scheduler
        && (Layout.Chain.depth.relaxed(at: row) & Layout.Chain.cutBit != 0) == isCut
    }
  }

  private func insert(_ link: Link, depth: UInt32, isCut: Bool) -> UInt32 {
    let known = find(link, isCut: isCut)
    if known != 0 { return known }
    let number = region.used
    guard number < region.capacity else {
      region.countLost()
      return 0
    }
    let row = region.entry(number)
    Layout.Chain.stack.setRelaxed(link.stack, at: row)
    Layout.Chain.parent.setRelaxed(link.parent, at: row)
    Layout.Chain.scheduler.setRelaxed(link.scheduler, at: row)
    Layout.Chain.depth.setRelaxed(depth | (isCut ? Layout.Chain.cutBit : 0), at: row)
    region.used = number + 1
    index.insert(Self.hash(link, isCut), UInt32(number))
    return UInt32(number)
  }

  private func link(_ number: UInt32) -> Link {
    let row = region.entry(Int(number))
    return Link(
      stack: Layout.Chain.stack.relaxed(at: row),
      parent: Layout.Chain.parent.relaxed(at: row),
      scheduler: Layout.Chain.scheduler.relaxed(at: row)
    )
  }

  private func depth(_ number: UInt32) -> UInt32 {
    guard number != 0, Int(number) < region.used else { return 0 }
    return Layout.Chain.depth.relaxed(at: region.entry(Int(number))) & ~Layout.Chain.cutBit
  }

  private static func hash(_ link: Link, _ isCut: Bool) -> UInt64 {
    let first = InternIndex.mix(isCut ? 3 : 2, Packing.pair(high: link.stack, low: link.parent))
    return InternIndex.mix(first, UInt64(link.scheduler))
  }
}
