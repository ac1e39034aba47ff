import Reactive
import Usage

// Reads the log of a service, without a network, and prints the resources that reading has used:
//
//   worker plain|reactive [--lines N] [--warm N] [--made N]
//
// The log is made in memory before the measurement, and is the same each time. A line is parsed,
// goes to the group of its route, and is counted in windows; a summary of each window goes to a
// sink on its own queue. The output is one line of JSON: the processor time from the first line to
// the last summary, and a checksum, which is the same for `plain` and `reactive`. With --made, the
// log has more lines than are read. If the instructions of the whole process are counted for two
// numbers of lines, the cost of making the log then cancels out.

@main
enum Worker {
  static let usage = "usage: worker plain|reactive [--lines N] [--warm N] [--made N]"

  static func main() {
    let arguments = Arguments(usage: usage, options: ["lines", "warm", "made"])
    let lines = arguments.number("lines", or: 200_000)
    let warm = arguments.number("warm", or: lines / 10)
    let read: @Sendable (Log, Sink) -> Void
    switch arguments.words {
    case ["plain"]: read = PlainReader.read
    case ["reactive"]: read = ReactiveReader.read
    default: Arguments.fail(usage)
    }

    if warm > 0 { read(Log(lines: warm), Sink()) }
    let log = Log(lines: max(lines, arguments.number("made", or: lines))).first(lines)
    let sink = Sink()
    let (before, begin) = (Usage.now, Monotonic.now)
    read(log, sink)
    let (after, end) = (Usage.now, Monotonic.now)
    print(
      """
      {"way":"\(arguments.words[0])","lines":\(lines),"warm":\(warm),\
      "processorTime":\(after.processorTime - before.processorTime),"time":\(end - begin),\
      "peakResident":\(after.peakResident),"summaries":\(sink.count),"checksum":\(sink.checksum)}
      """
    )
  }
}
