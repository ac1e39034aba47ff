/// Three clocks read together.
public struct ClockReading: Sendable, Equatable {
  /// Ticks, the unit in which records are stamped.
  public var ticks: UInt64 = 0
  /// Nanoseconds of the monotonic clock.
  public var monotonic: UInt64 = 0
  /// Nanoseconds since 1970.
  public var realtime: UInt64 = 0

  /// A reading of these times.
  public init(ticks: UInt64 = 0, monotonic: UInt64 = 0, realtime: UInt64 = 0) {
    self.ticks = ticks
    self.monotonic = monotonic
    self.realtime = realtime
  }
}
