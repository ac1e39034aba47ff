internal import CReactiveTraceShims
internal import Glibc

/// The number of seconds by which the clocks of this program are wrong.
///
/// `nonisolated(unsafe)`: the pointer never changes, and its target is only accessed atomically.
nonisolated(unsafe) private let offset: UnsafeMutablePointer<UInt64> = {
  let offset = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  offset.initialize(to: 0)
  return offset
}()

/// Replaces the system's clock with one that is wrong: a program's own function takes precedence
/// over that of the C library.
///
/// The first word of a `timespec` is the seconds.
@_cdecl("clock_gettime")
func jumpingClock(_ clock: CInt, _ time: UnsafeMutablePointer<Int>) -> CInt {
  typealias Clock = @convention(c) (CInt, UnsafeMutablePointer<Int>) -> CInt
  guard let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "clock_gettime") else {
    return -1
  }
  let result = unsafeBitCast(next, to: Clock.self)(clock, time)
  time.pointee += Int(Int64(bitPattern: rxt_load_relaxed_u64(offset)))
  return result
}

/// A program whose clocks jump while it is recorded, started with `clock`.
enum JumpingClock {
  static func run() {
    for jump in [0, 3600, -7200, 1_000_000, 0] {
      rxt_store_relaxed_u64(offset, UInt64(bitPattern: Int64(jump)))
      Workload.work(5000)
    }
  }
}
