import Reactive
import ReactiveTrace
internal import Glibc

// A shop without a fault, recorded over simulated days: `healthy-days SEED HOURS DIRECTORY [LEVEL]`.
//
// Writes DIRECTORY/hour.rxtrace at the end of each hour, as `Trace.snapshot(to:)` does, prints what went on, and waits for a line, so that
// `Scripts/soak days` can apply `rxtop check` to each.

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
  let world = World(seed: seed)
  let town = Town(world)
  for hour in 1...hours {
    world.run(until: .seconds(3600 * hour))
    unlink("\(arguments[3])/hour.rxtrace")
    try Trace.snapshot(to: "\(arguments[3])/hour.rxtrace")
    print("hour \(hour): \(town.summary)")
    fflush(nil)
    _ = readLine()
  }
  Trace.stop()
  withExtendedLifetime(town) { exit(0) }
} catch {
  print("healthy-days: \(error)")
  exit(1)
}
