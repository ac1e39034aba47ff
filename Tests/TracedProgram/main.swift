internal import Glibc

// A program for tests of what happens to a traced program, in a process that may be broken.
let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
switch (arguments.first, arguments.count) {
case ("endless", 3): EndlessEvents.run(threads: numbers[0], acknowledgements: arguments[2])
case ("kill-runs", 2...3):
  let seed = UInt64(arguments.count > 2 ? numbers[1] : Int(getpid()))
  say("seed \(seed)")
  var runs = KillRuns(seed: seed)
  exit(runs.run(numbers[0]) ? 0 : 1)
default:
  fail("usage: kill-runs COUNT [SEED]")
}
