import CReactiveTraceShims

/// The clock that stamps records, and the duration of its ticks.
///
/// `@unchecked Sendable`: everything but `scale` is constant, and `scale` is only accessed
/// atomically.
struct TraceClock: @unchecked Sendable {
  /// 1: ticks are cycles; 0: ticks are nanoseconds of the monotonic clock, or of the program's own
  /// clock (``Trace/takeOverClock()``).
  let countsCycles: UInt32
  /// When recording began.
  let startTicks: UInt64
  let startMonotonic: UInt64
  /// Nanoseconds per tick × 2³²; 0 until enough time has passed to determine it.
  private let scale: UnsafeMutablePointer<UInt64>

  /// The shortest time, in nanoseconds, over which the rate of the cycle counter can be measured
  /// well enough.
  private static var shortestMeasurement: UInt64 { 100_000 }

  init(start: ClockReading) throws(TraceError) {
    countsCycles = Self.hasCycles
    scale = try PrivateMemory.allocate(UInt64.self, count: 1)
    startTicks = start.ticks
    startMonotonic = start.monotonic
  }

  private static var hasCycles: UInt32 {
    rxt_own_time() == 0 && rxt_has_invariant_counter() ? 1 : 0
  }

  var now: UInt64 { rxt_ticks(countsCycles) }

  /// Reads the three clocks one after the other.
  func read() -> ClockReading { Self.read(countsCycles) }

  /// Reads the clocks without an instance.
  static func readNow() -> ClockReading { read(hasCycles) }

  private static func read(_ countsCycles: UInt32) -> ClockReading {
    let realtime = rxt_realtime_ns()
    let monotonic = rxt_monotonic_ns()
    let own = countsCycles == 1 ? 0 : rxt_own_time()
    guard own == 0 else {
      return ClockReading(ticks: own, monotonic: own, realtime: realtime &+ own &- monotonic)
    }
    return ClockReading(
      ticks: countsCycles == 1 ? rxt_cycle_counter() : monotonic,
      monotonic: monotonic,
      realtime: realtime
    )
  }

  /// Converts ticks to nanoseconds.
  func nanoseconds(_ ticks: UInt64) -> UInt64 {
    guard countsCycles == 1 else { return ticks }
    var known = rxt_load_relaxed_u64(scale)
    if known == 0 { known = measure(read()) }
    let product = known.multipliedFullWidth(by: ticks)
    return product.high << 32 | product.low >> 32
  }

  /// Converts nanoseconds to ticks.
  func ticks(nanoseconds: UInt64) -> UInt64 {
    guard countsCycles == 1 else { return nanoseconds }
    var known = rxt_load_relaxed_u64(scale)
    if known == 0 { known = measure(read()) }
    // A duration that does not fit into 64 bits is longer than any recording.
    guard nanoseconds >> 32 < known else { return UInt64.max >> 1 }
    return known.dividingFullWidth((nanoseconds >> 32, nanoseconds << 32)).quotient
  }

  /// Determines the rate from a reading later than the first.
  @discardableResult
  func measure(_ reading: ClockReading) -> UInt64 {
    let elapsed = reading.monotonic &- startMonotonic
    let ticks = reading.ticks &- startTicks
    // Until some time has passed, a tick is assumed to take a third of a nanosecond. The same
    // applies if the counter was set back, which can happen when a virtual machine is migrated.
    guard countsCycles == 1, elapsed > 0, elapsed >> 32 < ticks else { return (1 << 32) / 3 }
    let rate = ticks.dividingFullWidth((elapsed >> 32, elapsed << 32)).quotient
    if elapsed >= Self.shortestMeasurement { rxt_store_relaxed_u64(scale, rate) }
    return rate
  }
}
