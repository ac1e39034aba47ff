import CReactiveTraceShims
import TracePlatform

/// Asynchronous backtraces: which stack scheduled work, and in which work that stack itself ran.
///
/// `@unchecked Sendable`: a row is written before a release store in the index publishes it, and is
/// not changed afterwards; inserting requires the table lock.
struct ChainTable: @unchecked Sendable {
  let region: MappedRegion
  private let index: InternIndex

  /// One link of a chain: a stack, and the chain of the work in which that stack ran.
  struct Link {
    var stack: UInt32
    var parent: UInt32
    var scheduler: UInt32
    var kind = HopKind.scheduler
    /// Whether it represents two or more equal links, one after the other.
    var isRepeated = false
  }

  init(region: MappedRegion) throws(TraceError) {
    self.region = region
    index = try InternIndex(capacity: region.capacity)
    // Row 0 represents work that was not scheduled.
    region.used = 1
  }

  /// Replaces a link that equals its parent by one that is marked as repeated, so that the chain of
  /// work that repeatedly schedules itself from the same place does not grow every time.
  ///
  /// - Returns: The link to store; and the chain that already represents it, or 0.
  func folded(_ link: Link) -> (link: Link, known: UInt32) {
    guard let parent = row(link.parent), parent.link.stack == link.stack,
      parent.link.scheduler == link.scheduler, parent.link.kind == link.kind
    else { return (link, 0) }
    // If the parent is marked as repeated, it represents this link, too. A parent that is marked as
    // cut, because older links were dropped, is used in the same way: replacing it would lose that
    // mark.
    if parent.link.isRepeated || parent.isCut { return (link, link.parent) }
    let folded = Link(
      stack: link.stack,
      parent: parent.link.parent,
      scheduler: link.scheduler,
      kind: link.kind,
      isRepeated: true
    )
    return (folded, 0)
  }

  /// The number of a chain that was stored before, or 0.
  ///
  /// Needs no lock.
  func find(_ link: Link) -> UInt32 { find(link, isCut: false) }

  /// The number of the chain that consists of `link` and its parent; 0 if there is no room.
  ///
  /// Requires the table lock.
  func intern(_ link: Link) -> UInt32 {
    let parentDepth = depth(link.parent)
    guard Int(parentDepth) >= Layout.Chain.depthLimit else {
      return insert(link, depth: parentDepth + 1, isCut: false)
    }
    // The chain is too long, so the new one continues from a copy of its newer half. The original
    // rows stay in the table.
    let kept = copy(link.parent, links: Layout.Chain.depthLimit / 2)
    return insert(
      Link(
        stack: link.stack,
        parent: kept.chain,
        scheduler: link.scheduler,
        kind: link.kind,
        isRepeated: link.isRepeated
      ),
      depth: kept.depth + 1,
      isCut: kept.depth == 0
    )
  }

  /// A copy of the newest `links` links of a chain, the oldest of them marked as cut.
  private func copy(_ chain: UInt32, links: Int) -> (chain: UInt32, depth: UInt32) {
    guard links > 0, chain != 0 else { return (0, 0) }
    guard let row = row(chain) else { return (0, 0) }
    let parent = copy(row.link.parent, links: links - 1)
    let copied = insert(
      Link(
        stack: row.link.stack,
        parent: parent.chain,
        scheduler: row.link.scheduler,
        kind: row.link.kind,
        isRepeated: row.link.isRepeated
      ),
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
        && Layout.Chain.depth.relaxed(at: row) & ~Layout.Chain.depthMask == Self.flags(link, isCut)
    }
  }

  private func insert(_ link: Link, depth: UInt32, isCut: Bool) -> UInt32 {
    let known = find(link, isCut: isCut)
    if known != 0 { return known }
    guard let number = region.newRow() else { return 0 }
    let row = region.entry(number)
    Layout.Chain.stack.setRelaxed(link.stack, at: row)
    Layout.Chain.parent.setRelaxed(link.parent, at: row)
    Layout.Chain.scheduler.setRelaxed(link.scheduler, at: row)
    Layout.Chain.depth.setRelaxed(depth | Self.flags(link, isCut), at: row)
    region.used = number + 1
    index.insert(Self.hash(link, isCut), UInt32(number))
    return UInt32(number)
  }

  /// A chain that was stored; nil for 0.
  func row(_ number: UInt32) -> (link: Link, isCut: Bool)? {
    guard number != 0, Int(number) < region.used else { return nil }
    let row = region.entry(Int(number))
    let depth = Layout.Chain.depth.relaxed(at: row)
    // A parent always has a lower number, unless another process has changed the file.
    let parent = Layout.Chain.parent.relaxed(at: row)
    let link = Link(
      stack: Layout.Chain.stack.relaxed(at: row),
      parent: parent < number ? parent : 0,
      scheduler: Layout.Chain.scheduler.relaxed(at: row),
      kind: HopKind(inDepth: depth) ?? .scheduler,
      isRepeated: depth & Layout.Chain.repeatBit != 0
    )
    return (link, depth & Layout.Chain.cutBit != 0)
  }

  private func depth(_ number: UInt32) -> UInt32 {
    guard number != 0, Int(number) < region.used else { return 0 }
    return Layout.Chain.depth.relaxed(at: region.entry(Int(number))) & Layout.Chain.depthMask
  }

  private static func flags(_ link: Link, _ isCut: Bool) -> UInt32 {
    (isCut ? Layout.Chain.cutBit : 0) | (link.isRepeated ? Layout.Chain.repeatBit : 0)
      | link.kind.rawValue << Layout.Chain.kindShift
  }

  private static func hash(_ link: Link, _ isCut: Bool) -> UInt64 {
    let how = InternIndex.mix(UInt64(flags(link, isCut)) | 1, UInt64(link.scheduler))
    return InternIndex.mix(how, Packing.pair(high: link.stack, low: link.parent))
  }
}
