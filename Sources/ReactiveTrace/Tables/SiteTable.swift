import CReactiveTraceShims
import TracePlatform

/// A site (an operator, and the place of its call) as the compiler passes it to the operator.
struct SiteKey {
  var name: StaticString
  var file: StaticString
  var line: UInt32
  var column: UInt32

  /// The address of the literal, by which most sites can be distinguished without reading the
  /// characters.
  var namePlace: UInt64 { @inline(__always) get { Self.place(name) } }
  var filePlace: UInt64 { @inline(__always) get { Self.place(file) } }
  var position: UInt64 { Packing.pair(high: line, low: column) }

  @inline(__always)
  private static func place(_ text: StaticString) -> UInt64 {
    text.hasPointerRepresentation
      ? UInt64(UInt(bitPattern: text.utf8Start)) : UInt64(text.unicodeScalar.value)
  }
}

/// One row per site, with its counters.
///
/// A site is looked up by the addresses of its literals without a lock. The same literal may have
/// several addresses (one per object file), so a miss is looked up by contents under the table
/// lock, and the new addresses are added to the index.
///
/// `@unchecked Sendable`: keys are written before a release store in the index publishes them, and
/// are not changed afterwards; counters are atomic.
struct SiteTable: @unchecked Sendable {
  let region: MappedRegion
  private let strings: StringTable
  /// The index by addresses, whose numbers are rows of `keys`.
  private let byPlace: InternIndex
  /// Four words for each key: the addresses of name and file, line and column, and the number of
  /// the site.
  private let keys: UnsafeMutablePointer<UInt64>
  private let keyCount: UnsafeMutablePointer<Int>
  private let keyCapacity: Int
  /// The index by contents, whose numbers are sites.
  private let byContents: InternIndex
  /// Subscriptions per site that have not ended.
  private let live: UnsafeMutablePointer<UInt32>
  /// The level of each site whose place has a separate level; 0 for the other sites.
  ///
  /// The file also contains the levels, but another process may change them there.
  private let levels: UnsafeMutablePointer<UInt8>

  init(region: MappedRegion, strings: StringTable) throws(TraceError) {
    self.region = region
    self.strings = strings
    keyCapacity = region.capacity * 4
    keys = try PrivateMemory.allocate(UInt64.self, count: 4 * keyCapacity)
    keyCount = try PrivateMemory.allocate(Int.self, count: 1)
    keyCount.pointee = 1
    byPlace = try InternIndex(capacity: keyCapacity)
    byContents = try InternIndex(capacity: region.capacity)
    live = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    levels = try PrivateMemory.allocate(UInt8.self, count: region.capacity)
    // Row 0 represents the sites for which there was no room.
    region.used = 1
  }

  /// The row of site `number`.
  @inline(__always)
  func row(_ number: UInt32) -> UnsafeMutableRawPointer {
    region.base + (Int(number) < region.capacity ? Int(number) : 0) &* Layout.Site.byteCount
  }

  // MARK: Finding

  /// The number of a site that was seen before at the same addresses, or 0.
  ///
  /// Needs no lock.
  @inline(__always)
  func find(_ key: SiteKey) -> UInt32 {
    let found = byPlace.find(Self.hash(key.namePlace, key.filePlace, key.position)) { number in
      let stored = keys + 4 * Int(number)
      return rxt_load_relaxed_u64(stored) == key.namePlace
        && rxt_load_relaxed_u64(stored + 1) == key.filePlace
        && rxt_load_relaxed_u64(stored + 2) == key.position
    }
    guard found != 0 else { return 0 }
    return UInt32(truncatingIfNeeded: rxt_load_relaxed_u64(keys + 4 * Int(found) + 3))
  }

  /// The number of a site, which is added if it is new; if there is no room, counts a loss and
  /// returns 0.
  ///
  /// Requires the table lock. `level` is the level of the site's place; nil if that place has no
  /// separate level.
  func intern(_ key: SiteKey, traits: SiteTraits, level: TraceLevel? = nil) -> UInt32 {
    let name = key.name.withUTF8Buffer { strings.intern(UnsafeRawBufferPointer($0)) }
    let file = key.file.withUTF8Buffer { strings.intern(UnsafeRawBufferPointer($0)) }
    let hash = Self.hash(UInt64(name), UInt64(file), key.position)
    var number = byContents.find(hash) { number in
      let row = region.entry(Int(number))
      return Layout.Site.name.relaxed(at: row) == name
        && Layout.Site.file.relaxed(at: row) == file
        && Layout.Site.line.relaxed(at: row) == key.line
        && Layout.Site.column.relaxed(at: row) == key.column
    }
    if number == 0 {
      number = append(key, name: name, file: file, traits: traits, level: level?.rawValue ?? 0)
      guard number != 0 else { return 0 }
      byContents.insert(hash, number)
    }
    remember(key, number)
    return number
  }

  private func append(
    _ key: SiteKey,
    name: UInt32,
    file: UInt32,
    traits: SiteTraits,
    level: UInt32
  ) -> UInt32 {
    guard let number = region.newRow() else { return 0 }
    let row = region.entry(number)
    Layout.Site.name.setRelaxed(name, at: row)
    Layout.Site.file.setRelaxed(file, at: row)
    Layout.Site.line.setRelaxed(key.line, at: row)
    Layout.Site.column.setRelaxed(key.column, at: row)
    Layout.Site.traits.setRelaxed(traits.rawValue, at: row)
    Layout.Site.level.setRelaxed(level, at: row)
    levels[number] = UInt8(truncatingIfNeeded: level)
    region.used = number + 1
    return UInt32(number)
  }

  /// Adds the addresses of a key to the index, so that the next look-up is fast.
  ///
  /// If there is no room, later look-ups compare contents.
  private func remember(_ key: SiteKey, _ number: UInt32) {
    guard find(key) == 0, keyCount.pointee < keyCapacity else { return }
    let stored = keys + 4 * keyCount.pointee
    rxt_store_relaxed_u64(stored, key.namePlace)
    rxt_store_relaxed_u64(stored + 1, key.filePlace)
    rxt_store_relaxed_u64(stored + 2, key.position)
    rxt_store_relaxed_u64(stored + 3, UInt64(number))
    byPlace.insert(Self.hash(key.namePlace, key.filePlace, key.position), UInt32(keyCount.pointee))
    keyCount.pointee += 1
  }

  @inline(__always)
  private static func hash(_ name: UInt64, _ file: UInt64, _ position: UInt64) -> UInt64 {
    InternIndex.mix(InternIndex.mix(InternIndex.mix(1, name), file), position)
  }

  /// Whether a site is a program's own call to `subscribe`.
  @inline(__always)
  func isRoot(_ site: UInt32) -> Bool {
    Layout.Site.traits.relaxed(at: row(site)) & SiteTraits.root.rawValue != 0
  }

  /// The level of a site whose place has a separate level (``TraceLevel``); 0 if the overall level
  /// applies.
  @inline(__always)
  func level(_ site: UInt32) -> UInt32 {
    UInt32(levels[Int(site) < region.capacity ? Int(site) : 0])
  }

  // MARK: Counting

  // These fields of a row are only changed while the lock of the slab (the table of live entities)
  // is held, so no atomic additions are needed: a subscription would need eight of them, which
  // would cost as much as everything else that is done to record it.

  /// Counts a signal of the site that was made, and returns how many had been made before.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func countCreated(_ site: UInt32) -> UInt64 {
    let row = row(site)
    let earlier = Layout.Site.signalsCreated.relaxed(at: row)
    Layout.Site.signalsCreated.setRelaxed(earlier &+ 1, at: row)
    return earlier
  }

  /// Counts a signal of the site that was released.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func countSignalReleased(_ site: UInt32) {
    Self.increase(Layout.Site.signalsReleased, row(site))
  }

  /// Counts a subscription of the site that began.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func countSubscribed(_ site: UInt32) {
    Self.increase(Layout.Site.subscribed, row(site))
    let live = liveCount(site)
    rxt_store_relaxed_u32(live, rxt_load_relaxed_u32(live) &+ 1)
  }

  /// Counts a subscription of the site that ended after `lifetime` nanoseconds.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func countEnded(_ site: UInt32, _ reason: EndReason, lifetime: UInt64) {
    let row = row(site)
    Self.increase(Layout.Site.ended(Int(reason.rawValue)), row)
    let live = liveCount(site)
    let left = rxt_load_relaxed_u32(live) &- 1
    rxt_store_relaxed_u32(live, left)
    // The field is lowered atomically, because a mark may be set at the same time.
    Layout.Site.minimumLive.lower(to: left, at: row)
    let power = min(63 - max(lifetime, 1).leadingZeroBitCount, Layout.Site.lifetimeCount - 1)
    let counter = Layout.Site.lifetime(power)
    counter.setRelaxed(counter.relaxed(at: row) &+ 1, at: row)
  }

  /// Counts a subscription of the site that was released after `events` events.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func countReleased(_ site: UInt32, events: UInt64) {
    let row = row(site)
    Self.increase(Layout.Site.released, row)
    Self.increase(Layout.Site.eventsOfReleased, row, by: events)
  }

  @inline(__always)
  private static func increase(
    _ counter: Field<UInt64>,
    _ row: UnsafeMutableRawPointer,
    by count: UInt64 = 1
  ) {
    counter.setRelaxed(counter.relaxed(at: row) &+ count, at: row)
  }

  /// Subscriptions of the site that have not ended.
  func liveSubscriptions(_ site: UInt32) -> UInt32 { rxt_load_relaxed_u32(liveCount(site)) }

  @inline(__always)
  private func liveCount(_ site: UInt32) -> UnsafeMutablePointer<UInt32> {
    live + (Int(site) < region.capacity ? Int(site) : 0)
  }
}
