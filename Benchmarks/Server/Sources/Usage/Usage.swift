import Glibc

/// The resources of the machine that this process has used.
public struct Usage: Sendable {
  /// The processor time of all threads in nanoseconds, in user and kernel mode.
  public var processorTime: Int
  /// The largest number of bytes that were resident at one time.
  public var peakResident: Int

  /// The resources used so far.
  public static var now: Usage {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Usage(
      processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      peakResident: usage.ru_maxrss << 10
    )
  }

  private static func nanoseconds(_ time: timeval) -> Int {
    time.tv_sec * 1_000_000_000 + time.tv_usec * 1000
  }
}
