import CBenchmarkShims
import Reactive
import ReactiveTrace

/// The cost that recording adds to one stage that an event passes, compared with the lowest
/// possible cost: updating a slot, and at level `events` also storing a record of 16 bytes.
extension Workload {
  /// A range through map, filter and scan.
  ///
  /// Each value passes `from` and `map`, and every second one also `filter`, `scan` and
  /// `subscribe`.
  static func hopsOfLinear3(_ recording: Recording, _ level: TraceLevel) -> Workload {
    hops(of: linear3(), 3.5, slots: 5, recording, level)
  }

  /// A range through ten maps.
  ///
  /// Each value passes `from`, ten `map`s, and `subscribe`.
  ///
  /// Its floor is the same work in C: the cost of twelve additional functions that record a passing
  /// event, each called through a pointer, as stages are.
  static func hopsOfLinear10(_ recording: Recording, _ level: TraceLevel) -> Workload {
    let stores: Int32 = level >= .events ? 1 : 0
    var workload = hops(of: linear10(), 12, slots: 12, recording, level)
    workload.floor = { count in
      let recorded = try timed { rxb_floor_ten_maps_returning($0, 1, stores) }(count)
      let plain = try timed { rxb_floor_ten_maps_returning($0, 0, stores) }(count)
      try same(recorded, plain, workload.name)
      return Sample(cost: (recorded.cost - plain.cost) / 12, checksum: count)
    }
    return workload
  }

  // `count` is the number of stages that an event passes, on average.
  private static func hops(
    of workload: Workload,
    _ count: Double,
    slots: Int32,
    _ recording: Recording,
    _ level: TraceLevel
  ) -> Workload {
    let name = "\(workload.name)-hop@\(level)"
    let traced = recording.traced(level, workload.ours)
    return Workload(
      name: name,
      quotient: .oursByPeer,
      goal: .atMost(level >= .events ? 2 : 1.5),
      count: workload.count,
      ours: { units in
        let with = try traced(units)
        let without = try workload.ours(units)
        try same(with, without, name)
        // The source reads the clock once for each value.
        let clock = try timed { rxb_clock($0) }(units)
        return Sample(cost: (with.cost - without.cost - clock.cost) / count, checksum: units)
      },
      peer: { units in
        let hops = Int(Double(units) * count)
        let sample = try timed { rxb_slot_updates($0, slots, level >= .events ? 1 : 0) }(hops)
        return Sample(cost: sample.cost, checksum: units)
      }
    )
  }

  private static func same(_ one: Sample, _ other: Sample, _ name: String) throws {
    guard one.checksum == other.checksum else {
      throw ChecksumMismatch(workload: name, ours: one.checksum, other: other.checksum)
    }
  }
}
