import TraceReading

/// Values by identifier, for passes over millions of records.
///
/// It uses open addressing in one array of indices: a lookup is one multiplication and usually one
/// read, whereas a `Dictionary` spends several times as long on hashing. Values are stored
/// contiguously in no particular order, and copies share them until one is changed.
package struct IDTable<Value: Sendable>: Sendable {
  private(set) var ids: [TraceID] = []
  package var values: [Value] = []
  /// Indices in `values`, or -1; the number of buckets is a power of two, and at most half of them
  /// are used.
  private var buckets: [Int32] = []
  private var shift: UInt32 = 32
  private var factor: UInt32 = 0
  private var isInOrderOfSlots = false

  init() {}

  /// A table of identifiers with different slots (places in the table of live entities), with a
  /// value for each.
  ///
  /// Buckets are in the order of slots, so that a pass through the slots in their order finds them
  /// in the cache. The slots have to be different, because identifiers that used the same slot
  /// successively would all hash to the same bucket.
  init(ofDifferentSlots ids: [TraceID], _ values: [Value]) {
    self.ids = ids
    self.values = values
    isInOrderOfSlots = true
    rehash(ids.count)
  }

  var count: Int { values.count }
  var isEmpty: Bool { values.isEmpty }

  mutating func reserveCapacity(_ count: Int) {
    ids.reserveCapacity(count)
    values.reserveCapacity(count)
    if count * 2 > buckets.count { rehash(count) }
  }

  /// The index of the value of an identifier.
  @inline(__always)
  func place(of id: TraceID) -> Int? {
    guard !buckets.isEmpty else { return nil }
    var bucket = home(id)
    while true {
      let place = Int(buckets[bucket])
      if place < 0 { return nil }
      if ids[place] == id { return place }
      bucket = (bucket &+ 1) & (buckets.count &- 1)
    }
  }

  subscript(id: TraceID) -> Value? { place(of: id).map { values[$0] } }

  func contains(_ id: TraceID) -> Bool { place(of: id) != nil }

  /// Adds a value, or replaces an existing one; returns whether there was none.
  @discardableResult
  mutating func set(_ value: Value, for id: TraceID) -> Bool {
    if let place = place(of: id) {
      values[place] = value
      return false
    }
    if (values.count + 1) * 2 > buckets.count { rehash(values.count + 1) }
    buckets[freeBucket(for: id)] = Int32(values.count)
    ids.append(id)
    values.append(value)
    return true
  }

  /// Removes a value, and moves the last value to its index.
  mutating func remove(_ id: TraceID) -> Value? {
    guard let place = place(of: id) else { return nil }
    close(bucket(of: id, at: place))
    let value = values[place]
    let last = values.count - 1
    if place < last {
      let moved = ids[last]
      buckets[bucket(of: moved, at: last)] = Int32(place)
      ids[place] = moved
      values[place] = values[last]
    }
    ids.removeLast()
    values.removeLast()
    return value
  }

  // MARK: Buckets

  @inline(__always)
  private func home(_ id: TraceID) -> Int { Int((id.rawValue &* factor) >> shift) }

  private func freeBucket(for id: TraceID) -> Int {
    var bucket = home(id)
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }

  private func bucket(of id: TraceID, at place: Int) -> Int {
    var bucket = home(id)
    while buckets[bucket] != place { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }

  /// Frees a bucket and moves the following entries that would otherwise not be found any more.
  private mutating func close(_ bucket: Int) {
    let mask = buckets.count - 1
    var hole = bucket
    var next = (hole + 1) & mask
    while buckets[next] >= 0 {
      let home = home(ids[Int(buckets[next])])
      if (next - home) & mask >= (next - hole) & mask {
        buckets[hole] = buckets[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    buckets[hole] = -1
  }

  private mutating func rehash(_ count: Int) {
    var size = 16
    while size < count * 4 { size *= 2 }
    shift = 32 - UInt32(size.trailingZeroBitCount)
    // The lowest bits of an identifier are its slot. In the order of slots, each slot has four
    // buckets; otherwise, identifiers are spread over the whole table.
    factor = isInOrderOfSlots ? 4 << shift : 0x9E37_79B1
    buckets = [Int32](repeating: -1, count: size)
    for (place, id) in ids.enumerated() { buckets[freeBucket(for: id)] = Int32(place) }
  }
}
