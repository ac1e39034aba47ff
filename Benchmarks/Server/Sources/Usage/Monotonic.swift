import Glibc

/// The monotonic clock.
public enum Monotonic {
  /// Nanoseconds since some moment before the process began.
  public static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
