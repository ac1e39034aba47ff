import CBenchmarkShims
import Glibc

/// What time is measured in.
enum Stopwatch {
  /// Whether it is the time that the process was given a processor, of all its threads, rather than the time that
  /// passed: for a machine that does other things, too.
  ///
  /// `unsafe`: set once, before anything is measured.
  nonisolated(unsafe) static var countsProcessorTime = false

  /// Nanoseconds since some instant.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(countsProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A side whose whole body is timed; it returns its checksum.
///
/// What it sets up is timed with the rest, and spread over so many units of work that it does not show.
func timed(_ body: @escaping (_ count: Int) -> Int) -> Workload.Side {
  { count in
    let begin = Stopwatch.now
    let checksum = body(count)
    let end = Stopwatch.now
    return Sample(cost: Double(end - begin) / Double(count), checksum: checksum)
  }
}

/// `value`, which the optimiser knows nothing about.
func opaque(_ value: Int) -> Int { rxb_opaque(value) }
