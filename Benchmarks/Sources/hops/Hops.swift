import Dispatch
import Foundation
import ReactiveTrace

/// One way to let work run elsewhere, done many times, and what one took; a process of its own for each run, as the
/// recorder's place in front of the system's functions is taken once and for good.
///
///     hops KIND COUNT
///
/// prints the nanoseconds of one that passed, those of a processor, a checksum, and the level of the recording.
/// `bench --hops` pairs runs with `RXTRACE=graph` in their environment and without; `hops --list` prints the kinds.
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
    // What a process does once: threads, tables, pages.
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

/// What the work is: next to nothing, so that the way there is what is measured.
@inline(never) func work(_ number: Int) -> Int { number & 7 }
