import TracePlatform

/// One row per scheduler, with its counters.
struct SchedulerTable: Sendable {
  let region: MappedRegion
  let strings: StringTable

  init(region: MappedRegion, strings: StringTable) {
    self.region = region
    self.strings = strings
    // Row 0 represents "none known".
    region.used = 1
  }

  /// Adds a scheduler; returns 0, counted as lost, if there is no room.
  ///
  /// Requires the table lock.
  func add(_ name: String, _ kind: SchedulerKind) -> UInt32 {
    guard let number = region.newRow() else { return 0 }
    let row = region.entry(number)
    // A row in use must not be all zeros, so the name must not be empty.
    let name = name.isEmpty ? "?" : name
    Layout.Scheduler.name.setRelaxed(strings.intern(name, limit: 128), at: row)
    Layout.Scheduler.kind.setRelaxed(kind.rawValue, at: row)
    region.used = number + 1
    return UInt32(number)
  }

  /// The name of a scheduler; nil if there is none.
  ///
  /// Needs no lock: the name was complete before the row was.
  func name(_ scheduler: UInt32) -> String? {
    guard scheduler != 0, Int(scheduler) < region.used else { return nil }
    let number = Layout.Scheduler.name.relaxed(at: region.entry(Int(scheduler)))
    return number == 0 ? nil : String(decoding: strings.bytes(number), as: UTF8.self)
  }

  /// Adds one to a counter of a scheduler.
  ///
  /// Needs no lock.
  func count(_ counter: Field<UInt64>, _ scheduler: UInt32) {
    guard scheduler != 0, Int(scheduler) < region.used else { return }
    counter.add(1, at: region.entry(Int(scheduler)))
  }
}
