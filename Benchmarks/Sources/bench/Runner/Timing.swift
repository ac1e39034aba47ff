import CBenchmarkShims
import Glibc

/// The clock with which time is measured.
enum Stopwatch {
  /// Whether the processor time of all threads of the process is measured, rather than wall time,
  /// for machines that also run other programs.
  ///
  /// `nonisolated(unsafe)`: it is set once, before anything is measured.
  nonisolated(unsafe) static var countsProcessorTime = false

  /// The nanoseconds since some fixed time.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(countsProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A side whose whole body is timed; the body returns the checksum.
///
/// The time of its setup is included, but is spread over so many units of work that it does not
/// matter.
func timed(_ body: @escaping (_ count: Int) -> Int) -> Workload.Side {
  { count in
    let begin = Stopwatch.now
    let checksum = body(count)
    let end = Stopwatch.now
    return Sample(cost: Double(end - begin) / Double(count), checksum: checksum)
  }
}

/// Returns `value` in a way that the optimiser cannot see through.
func opaque(_ value: Int) -> Int { rxb_opaque(value) }
