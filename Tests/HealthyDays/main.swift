import Reactive
import ReactiveTrace
internal import Glibc

// A healthy shop, recorded over simulated days: `healthy-days SEED HOURS DIRECTORY [LEVEL]`.
//
// At the end of each hour it writes DIRECTORY/hour.rxtrace with `Trace.snapshot(to:)`, prints a
// summary, and waits for a line of input, so that `Scripts/soak days` can run `rxtop check` on each
// file.

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let seed = UInt64(arguments[1]),
  let hours = Int(arguments[2]), hours > 0,
  var options = try? TraceOptions.parse(arguments.count > 4 ? arguments[4] : "events")
else {
  print("usage: healthy-days SEED HOURS DIRECTORY [LEVEL]")
  exit(2)
}
do {
  Trace.takeOverClock()
  options.path = "\(arguments[3])/day.rxtrace"
  try Trace.start(options)
  let simulation = Simulation(seed: seed)
  let shop = Shop(simulation)
  for hour in 1...hours {
    simulation.run(until: .seconds(3600 * hour))
    unlink("\(arguments[3])/hour.rxtrace")
    try Trace.snapshot(to: "\(arguments[3])/hour.rxtrace")
    print("hour \(hour): \(shop.summary)")
    fflush(nil)
    _ = readLine()
  }
  Trace.stop()
  withExtendedLifetime(shop) { exit(0) }
} catch {
  print("healthy-days: \(error)")
  exit(1)
}
