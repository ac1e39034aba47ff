import TraceReading

/// Values by identifier, for passes over millions of records.
///
/// Open addressing in one array of places: a look-up is one multiplication and mostly one read, where a
/// `Dictionary` hashes for several times as long. Values stand side by side in no particular order, and
/// copies share them until one is changed.
package struct IDTable<Value: Sendable>: Sendable {
  private(set) var ids: [TraceID] = []
  package var values: [Value] = []
  /// Places in `values`, or -1; a power of two of them, half of them used at most.
  private var buckets: [Int32] = []
  private var shift: UInt32 = 32
  private var factor: UInt32 = 0
  private var isInOrderOfSlots = false

  init() {}

  /// Of identifiers of different slots, with a value for each.
  ///
  /// Buckets follow each other as slots do, so that who goes through the slots in their order finds them in the cache.
  /// Where many identifiers had one slot after the other, all of them would want the same bucket.
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

  /// Where the value of an identifier stands.
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

  /// Adds a value, or replaces the one there is; tells whether there was none.
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

  /// Takes a value out; the last one takes its place.
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

  /// Frees a bucket and moves those behind it that would not be found any more.
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
    // An identifier's lowest bits are its slot: four buckets for each. Otherwise spread all over the table.
    factor = isInOrderOfSlots ? 4 << shift : 0x9E37_79B1
    buckets = [Int32](repeating: -1, count: size)
    for (place, id) in ids.enumerated() { buckets[freeBucket(for: id)] = Int32(place) }
  }
}
