import Dispatch
import Foundation
import ReactiveTrace

/// Makes many hops of one kind, and measures the cost of one hop.
///
/// Each run is a separate process, because in a traced process, the recorder's functions
/// permanently take precedence over those of the system.
///
///     hops KIND COUNT
///
/// The program prints the nanoseconds of one hop in wall time and in processor time, a checksum,
/// and the level of the recording. `bench --hops` pairs runs with and without `RXTRACE=graph` in
/// their environment; `hops --list` prints the kinds.
@main
enum Hops {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments == ["--list"] {
      for kind in Kind.allCases { print("\(kind)", kind.count) }
      return
    }
    guard arguments.count == 2, let kind = arguments.first.flatMap({ Kind(rawValue: $0) }),
      let count = arguments.last.flatMap({ Int($0) }), count > 0
    else {
      FileHandle.standardError.write(Data("usage: hops KIND COUNT | --list\n".utf8))
      exit(2)
    }
    Trace.startFromEnvironment()
    // The first run is not measured, because it includes work that a process does only once, such
    // as making threads, tables and pages.
    _ = await kind.run(count / 4 + 1)
    let (begin, beginOfProcessor) = (time(CLOCK_MONOTONIC), time(CLOCK_PROCESS_CPUTIME_ID))
    let checksum = await kind.run(count)
    let (end, endOfProcessor) = (time(CLOCK_MONOTONIC), time(CLOCK_PROCESS_CPUTIME_ID))
    let level = Trace.level
    if let path = Trace.path { unlink(path) }
    let each = (end - begin) / Double(count)
    let eachOfProcessor = (endOfProcessor - beginOfProcessor) / Double(count)
    print(each, eachOfProcessor, checksum, level)
  }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// The work itself, which costs next to nothing, so that the hop is measured.
@inline(never) func work(_ number: Int) -> Int { number & 7 }
