import Glibc

/// The system's clock by which a trace states when its recording began.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
