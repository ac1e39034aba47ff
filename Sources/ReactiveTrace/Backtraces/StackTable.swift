import CReactiveTraceShims
import TracePlatform

/// Return addresses of one stack, innermost first.
struct FrameWalk {
  /// Room for as many addresses as were requested, of which only the first `count` are set.
  let addresses: UnsafeMutablePointer<UInt64>
  let count: Int
  /// The frame of the running function of the task; 0 outside of tasks, and if the walk ended
  /// before it reached that frame.
  let taskFrame: UInt
  private let known: UInt64?

  /// A hash of the addresses.
  var hash: UInt64 { known ?? rxt_hash_addresses(addresses, UInt32(count)) }

  /// Walks the stack from `frame` outwards into `buffer`, which has room for `limit` addresses.
  ///
  /// The walk stops at code built without frame pointers. In a Swift task, it continues with the
  /// functions that await the running one.
  static func capture(
    from frame: UInt,
    below high: UInt,
    limit: Int = Layout.StackHeap.limit,
    into buffer: UnsafeMutablePointer<UInt64>
  ) -> FrameWalk {
    if isInTask {
      var task: UInt = 0
      let count = rxt_walk_task(frame, high, buffer, UInt32(limit), &task)
      return FrameWalk(addresses: buffer, count: Int(count), taskFrame: task, known: nil)
    }
    var hash: UInt64 = 0
    let count = rxt_walk_frames(frame, high, buffer, UInt32(limit), &hash)
    return FrameWalk(addresses: buffer, count: Int(count), taskFrame: 0, known: hash)
  }

  /// Whether a walk continues with the functions that await the running one.
  static var isInTask: Bool { rxt_hops_see_tasks() && rxt_is_in_task() }
}

/// The stacks of a trace, each stored once and compared in full.
///
/// Looking up takes no lock, because it happens at every hop, whenever work is passed on.
///
/// `@unchecked Sendable`: a stack is written before a release store in the index publishes it, and
/// is not changed afterwards; inserting requires the table lock.
struct StackTable: @unchecked Sendable {
  let region: MappedRegion
  private let index: InternIndex

  init(region: MappedRegion) throws(TraceError) {
    self.region = region
    index = try InternIndex(capacity: region.capacity / 16)
    // Stack 0 is the empty one.
    region.used = Layout.StackHeap.unit
  }

  /// The number of a stack that was stored before; 0 if it was not.
  func find(_ walk: FrameWalk) -> UInt32 { index.find(walk.hash) { holds(walk, in: $0) } }

  /// Whether the stored stack `number` equals the stack of the walk.
  @inline(__always)
  func holds(_ walk: FrameWalk, in number: UInt32) -> Bool {
    // The entry has not changed since the index published it, so relaxed loads suffice.
    let entry = region.base + Int(number) * Layout.StackHeap.unit
    return Layout.StackHeap.count.relaxed(at: entry) == UInt64(walk.count)
      && rxt_same_addresses(entry + Layout.StackHeap.frames, walk.addresses, walk.count)
  }

  /// The number of a stack, stored if necessary; 0 if there is no room.
  ///
  /// Requires the table lock.
  func intern(_ walk: FrameWalk) -> UInt32 {
    guard walk.count > 0 else { return 0 }
    let known = find(walk)
    if known != 0 { return known }
    let used = region.used
    let size = Self.place(walk.count)
    guard used + size <= region.capacity, region.reserve(used + size) else {
      region.countLost()
      return 0
    }
    let entry = region.base + used
    Layout.StackHeap.count.setRelaxed(UInt64(walk.count), at: entry)
    for position in 0..<walk.count {
      rxt_store_relaxed_u64(entry + Self.place(position), walk.addresses[position])
    }
    region.used = used + size
    let number = UInt32(used / Layout.StackHeap.unit)
    index.insert(walk.hash, number)
    return number
  }

  /// Reserves a stack with room for the maximum number of addresses, for a crash handler to fill
  /// in; nil if the table has no room for it.
  ///
  /// Requires the table lock.
  func reserve() -> (number: UInt32, addresses: UnsafeMutablePointer<UInt64>)? {
    let used = region.used
    let size = Self.place(Layout.StackHeap.limit)
    guard used + size <= region.capacity, region.reserve(used + size) else { return nil }
    let entry = region.base + used
    Layout.StackHeap.count.setRelaxed(UInt64(Layout.StackHeap.limit), at: entry)
    // The value is 1, because a reader takes zeros for lost bytes.
    for position in 0..<Layout.StackHeap.limit {
      rxt_store_relaxed_u64(entry + Self.place(position), 1)
    }
    region.used = used + size
    let addresses = (entry + Layout.StackHeap.frames).assumingMemoryBound(to: UInt64.self)
    return (UInt32(used / Layout.StackHeap.unit), addresses)
  }

  /// The addresses of a stack that was stored.
  func addresses(_ number: UInt32) -> [UInt64] {
    let start = Int(number) * Layout.StackHeap.unit
    guard number != 0, start < region.used else { return [] }
    let entry = region.base + start
    let count = min(Layout.StackHeap.count.relaxed(at: entry), UInt64(Layout.StackHeap.limit))
    return (0..<Int(count)).map { rxt_load_relaxed_u64(entry + Self.place($0)) }
  }

  private static func place(_ position: Int) -> Int {
    Layout.StackHeap.frames + 8 * position
  }
}
