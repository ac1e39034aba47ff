internal import Glibc
internal import ReactiveTrace

/// A program that measures the cost of its events, started with `measured EVENTS`.
///
/// It prints `ready` when recording has begun, and waits for a line, so that another program can
/// begin to inspect it first. It then records the given number of events, each of which passes
/// three subscriptions in a turn, and prints the processor time of its thread for one event, in
/// nanoseconds.
enum MeasuredEvents {
  static func run(_ count: Int) {
    let stages = (1...3).map { Workload.subscription(line: $0) }
    // Work that is done only once is done before the measurement.
    send(10_000, through: stages)
    say("ready")
    var byte: UInt8 = 0
    while read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
    let begin = now()
    send(count, through: stages)
    let end = now()
    say("\(Double(end - begin) / Double(max(1, count)))")
  }

  private static func send(_ count: Int, through stages: [TraceID]) {
    for _ in 0..<count {
      Tracer.turnBegan(stages[0])
      for stage in stages { Tracer.next(stage) }
      Tracer.turnEnded(stages[0])
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
