import CReactiveTraceShims

/// Finds the number of an entry that was stored before, by its hash and then by its contents.
///
/// It is a hash table with open addressing in private memory. Each entry holds 32 bits of the hash
/// and the number, which is never 0. An entry is written once and never moves. Looking up needs no
/// lock; inserting needs the lock of the table that owns the index.
///
/// `@unchecked Sendable`: entries are only accessed atomically.
struct InternIndex: @unchecked Sendable {
  private let entries: UnsafeMutablePointer<UInt64>
  private let mask: Int

  /// Makes an index that stays at most half full with `capacity` entries.
  init(capacity: Int) throws(TraceError) {
    var size = 64
    while size < 2 * capacity { size *= 2 }
    entries = try PrivateMemory.allocate(UInt64.self, count: size)
    mask = size - 1
  }

  /// The number stored under `hash` for which `matches` is true, or 0.
  @inline(__always)
  func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32 {
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      // The acquire load pairs with the release store in `insert`.
      let entry = rxt_load_acquire_u64(entries + place)
      if entry == 0 { return 0 }
      if Packing.high(entry) == UInt32(truncatingIfNeeded: hash >> 32),
        matches(Packing.low(entry))
      {
        return Packing.low(entry)
      }
      place = (place + 1) & mask
    }
  }

  /// Stores `number`.
  ///
  /// The owner inserts no more than `capacity` times, so there is always a free entry.
  func insert(_ hash: UInt64, _ number: UInt32) {
    var place = Int(truncatingIfNeeded: hash) & mask
    while rxt_load_relaxed_u64(entries + place) != 0 { place = (place + 1) & mask }
    // The release store publishes the entry to `find`.
    rxt_store_release_u64(
      entries + place,
      Packing.pair(high: UInt32(truncatingIfNeeded: hash >> 32), low: number)
    )
  }

  /// Mixes one more word into a hash.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
    return product ^ (product >> 32)
  }
}
