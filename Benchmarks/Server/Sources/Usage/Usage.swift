import Glibc

/// What this process has used of the machine.
public struct Usage: Sendable {
  /// Nanoseconds for which a processor ran it: all its threads, in its own code and in the system's.
  public var processorTime: Int
  /// The most bytes of it that were in memory at a time.
  public var peakResident: Int

  /// What it has used until now.
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
