import CReactiveTraceShims
import TracePlatform

/// The slab: one slot for each signal, subscription, timer and owner that has not been released.
///
/// A slot contains the serial of its entity, a number that is never used again. The serial is 0
/// while the other fields are being written; a reader compares the serial before and after it reads
/// the slot. The slot that was freed first is reused first, which gives readers as much time as
/// possible.
///
/// `@unchecked Sendable`: the lists are only used with `lock` held, and slots are only accessed
/// atomically.
struct Slab: @unchecked Sendable {
  let region: MappedRegion
  let upstreams: MappedRegion
  let lock: ShortLock
  let slotBits: UInt32
  private let header: UnsafeMutableRawPointer
  private let state: UnsafeMutablePointer<State>
  /// Information about the entity in each slot, which readers do not need.
  let stages: StageTable
  /// Freed slots, the oldest first.
  private let freed: UnsafeMutablePointer<UInt32>
  /// Freed rows of the upstream region, as a stack.
  private let freedUpstreams: UnsafeMutablePointer<UInt32>
  /// For each slot, the first row of the further upstreams of its signal, or 0; and for each row,
  /// the next one.
  ///
  /// The file also contains these, but another process may change them there.
  private let firstUpstream: UnsafeMutablePointer<UInt32>
  private let nextUpstream: UnsafeMutablePointer<UInt32>

  struct State: BitwiseCopyable {
    var lastSerial: UInt64 = 0
    /// The first slot that was never used.
    var fresh = 1
    var freedHead = 0
    var freedCount = 0
    var freshUpstream = 1
    var freedUpstreamCount = 0
  }

  /// The contents of a new slot besides its serial.
  struct Contents {
    var kind: EntityKind
    var state: EntityState
    /// For a signal, the row of its argument.
    var scheduler: UInt32 = 0
    var site: UInt32
    var signal: UInt32 = 0
    var link: TraceID = .none
    var chain: UInt32 = 0
    var createdAt: UInt64
    /// The subscription that ends together with this one, after it.
    var next: TraceID = .none
    /// The scope in which it ends, as in ``Tracer/subscribed(site:signal:downstream:scope:)``.
    var scope: UInt = 0
  }

  init(
    region: MappedRegion,
    upstreams: MappedRegion,
    slotBits: UInt32,
    header: UnsafeMutableRawPointer
  ) throws(TraceError) {
    self.region = region
    self.upstreams = upstreams
    self.slotBits = slotBits
    self.header = header
    lock = try ShortLock()
    state = try PrivateMemory.allocate(State.self, count: 1)
    state.initialize(to: State())
    stages = try StageTable(slotCount: region.capacity)
    freed = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    freedUpstreams = try PrivateMemory.allocate(UInt32.self, count: upstreams.capacity)
    firstUpstream = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    nextUpstream = try PrivateMemory.allocate(UInt32.self, count: upstreams.capacity)
    region.used = 1
    upstreams.used = 1
  }

  // MARK: Identifiers

  // These do the same as the functions of `Packing`, but with unchecked shifts, because the number
  // of slot bits is below 32.

  /// The number of the slot of `id`.
  @inline(__always)
  func index(_ id: TraceID) -> Int { Int(id.rawValue & (1 &<< slotBits &- 1)) }

  @inline(__always)
  private func identifier(_ index: Int, _ serial: UInt64) -> TraceID {
    TraceID(
      rawValue: UInt32(truncatingIfNeeded: serial) &<< slotBits
        | UInt32(truncatingIfNeeded: index)
    )
  }

  /// The slot of `id`, whatever entity occupies it now.
  @inline(__always)
  func slot(_ id: TraceID) -> UnsafeMutableRawPointer {
    region.base + index(id) &* Layout.Slot.byteCount
  }

  /// The slot of `id` if the entity has not been released and is of that kind.
  ///
  /// If the caller holds `lock`, the entity stays in the slot until the caller unlocks it.
  @inline(__always)
  func liveSlot(_ id: TraceID, _ kind: EntityKind) -> UnsafeMutableRawPointer? {
    guard let slot = liveSlot(id),
      Packing.kind(ofState: Layout.Slot.state.relaxed(at: slot)) == kind.rawValue
    else { return nil }
    return slot
  }

  /// The slot of `id` if the entity has not been released.
  @inline(__always)
  func liveSlot(_ id: TraceID) -> UnsafeMutableRawPointer? {
    let slot = slot(id)
    // The serial is 0 also in slot 0, which no entity occupies.
    let serial = Layout.Slot.serial.relaxed(at: slot)
    return serial != 0 && identifier(index(id), serial) == id ? slot : nil
  }

  // MARK: With `lock` held

  /// Assigns a slot to a new entity.
  ///
  /// If none is free, counts the entity as lost and returns `TraceID.none`.
  @inline(__always)
  func allocate(_ contents: Contents, furtherUpstreams: [TraceID] = []) -> TraceID {
    guard let index = takeIndex() else {
      region.countLost()
      return .none
    }
    stages.begin(index, before: contents.next, in: contents.scope)
    let serial = state.pointee.lastSerial &+ 1
    state.pointee.lastSerial = serial
    let slot = region.base + index &* Layout.Slot.byteCount
    // The serial has been 0 since the slot was freed. After this fence, a reader that copies any of
    // the new fields also finds the serial 0.
    rxt_fence_release()
    Layout.Slot.createdAt.setRelaxed(contents.createdAt, at: slot)
    Layout.Slot.lastEventAt.setRelaxed(0, at: slot)
    Layout.Slot.eventCount.setRelaxed(0, at: slot)
    let word = Packing.state(contents.kind, contents.state, scheduler: contents.scheduler)
    Layout.Slot.state.setRelaxed(word, at: slot)
    Layout.Slot.site.setRelaxed(contents.site, at: slot)
    Layout.Slot.signal.setRelaxed(contents.signal, at: slot)
    Layout.Slot.link.setRelaxed(contents.link.rawValue, at: slot)
    let chain =
      furtherUpstreams.isEmpty ? contents.chain : storeUpstreams(furtherUpstreams, of: index)
    Layout.Slot.chain.setRelaxed(chain, at: slot)
    Layout.Slot.owner.setRelaxed(0, at: slot)
    Layout.Slot.depth.setRelaxed(0, at: slot)
    Layout.Slot.statusGeneration.setRelaxed(0, at: slot)
    Layout.Slot.serial.setRelease(serial, at: slot)
    Layout.FileHeader.lastSerial.setRelaxed(serial, at: header)
    return identifier(index, serial)
  }

  /// The serial of the entity that was made last.
  @inline(__always)
  var lastSerial: UInt64 { state.pointee.lastSerial }

  /// Takes back the slot of a released entity.
  @inline(__always)
  func free(_ slot: UnsafeMutableRawPointer) {
    freeUpstreams(of: index(of: slot))
    freePlain(slot)
  }

  /// Takes back the slot of a released entity that is not a signal.
  @inline(__always)
  func freePlain(_ slot: UnsafeMutableRawPointer) {
    Layout.Slot.serial.setRelease(0, at: slot)
    // The queue has as many places as there are slots, a power of two.
    let place = (state.pointee.freedHead &+ state.pointee.freedCount) & (region.capacity &- 1)
    freed[place] = UInt32(truncatingIfNeeded: index(of: slot))
    state.pointee.freedCount &+= 1
  }

  @inline(__always)
  private func index(of slot: UnsafeMutableRawPointer) -> Int {
    Int(bitPattern: UInt(bitPattern: slot - region.base) / UInt(Layout.Slot.byteCount))
  }

  /// Replaces the entity's state and leaves kind and scheduler alone.
  @inline(__always)
  func setState(_ new: EntityState, at slot: UnsafeMutableRawPointer) {
    let word = Layout.Slot.state.relaxed(at: slot)
    Layout.Slot.state.setRelaxed(word & ~0xFF00 | new.rawValue << 8, at: slot)
  }

  @inline(__always)
  func state(at slot: UnsafeMutableRawPointer) -> UInt32 {
    Packing.state(ofState: Layout.Slot.state.relaxed(at: slot))
  }

  /// Takes the slot that has been free for longest if enough are free, otherwise one that was never
  /// used.
  ///
  /// So a program that keeps making and releasing a few entities uses a part of the slab that fits
  /// into the caches, and readers still have time to notice that a slot was reused.
  @inline(__always)
  private func takeIndex() -> Int? {
    if state.pointee.freedCount < Self.restingSlots, state.pointee.fresh < region.capacity,
      region.reserve(state.pointee.fresh &+ 1)
    {
      let index = state.pointee.fresh
      state.pointee.fresh = index &+ 1
      region.used = index &+ 1
      return index
    }
    guard state.pointee.freedCount > 0 else { return nil }
    let index = freed[state.pointee.freedHead]
    state.pointee.freedHead = (state.pointee.freedHead &+ 1) & (region.capacity &- 1)
    state.pointee.freedCount &-= 1
    return Int(index)
  }

  /// How many slots must be free before one of them is reused, as long as there are slots that were
  /// never used.
  private static var restingSlots: Int { 256 }

  // MARK: Further upstreams

  /// Stores a list of upstreams, beginning with its last row, and returns its first row.
  ///
  /// An upstream for which there is no room is counted as lost and left out.
  @inline(__always)
  private func storeUpstreams(_ signals: [TraceID], of signal: Int) -> UInt32 {
    var next: UInt32 = 0
    for signal in signals.reversed() {
      guard let index = takeUpstreamIndex() else {
        upstreams.countLost()
        continue
      }
      let row = upstreams.entry(index)
      Layout.Upstream.signal.setRelaxed(signal.rawValue, at: row)
      Layout.Upstream.next.setRelaxed(next, at: row)
      nextUpstream[index] = next
      if index >= upstreams.used { upstreams.used = index + 1 }
      next = UInt32(index)
    }
    firstUpstream[signal] = next
    return next
  }

  @inline(__always)
  private func takeUpstreamIndex() -> Int? {
    if state.pointee.freedUpstreamCount > 0 {
      state.pointee.freedUpstreamCount -= 1
      return Int(freedUpstreams[state.pointee.freedUpstreamCount])
    }
    guard state.pointee.freshUpstream < upstreams.capacity,
      upstreams.reserve(state.pointee.freshUpstream + 1)
    else { return nil }
    state.pointee.freshUpstream += 1
    return state.pointee.freshUpstream - 1
  }

  @inline(__always)
  private func freeUpstreams(of signal: Int) {
    var row = firstUpstream[signal]
    firstUpstream[signal] = 0
    while row != 0 {
      freedUpstreams[state.pointee.freedUpstreamCount] = row
      state.pointee.freedUpstreamCount += 1
      row = nextUpstream[Int(row)]
    }
  }
}
