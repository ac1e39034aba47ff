internal import Glibc

// This program does what tests of traced processes need, in a process that may crash or be killed.
let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
switch (arguments.first, arguments.count) {
case ("endless", 3): EndlessEvents.run(threads: numbers[0], acknowledgements: arguments[2])
case ("kill-runs", 2...3):
  let seed = UInt64(arguments.count > 2 ? numbers[1] : Int(getpid()))
  say("seed \(seed)")
  var runs = KillRuns(seed: seed)
  exit(runs.run(numbers[0]) ? 0 : 1)
case ("measured", 2): MeasuredEvents.run(numbers[0])
case ("work", 2): Workload.work(numbers[0])
case ("threads", 2): Workload.shortLivedThreads(numbers[0])
case ("concurrent", 2): Workload.concurrentThreads(numbers[0])
case ("spawn", 1): Workload.spawn()
case ("fork", 1): Workload.fork()
case ("two-copies", 2): SecondCopy.run(arguments[1])
case ("clock", 1): JumpingClock.run()
case ("rounds", 3): Rounds.run(numbers[0], keeping: numbers[1])
case ("crash", 2): Crashes.run(arguments[1])
case ("errands", 2): ThreadHandoff.run(numbers[0])
case ("plug-ins", 2...): SecondCopy.load(Array(arguments.dropFirst()))
case ("again", 2): Reexecution.run(numbers[0])
case ("main-queue", 2): MainQueue.run(numbers[0])
case ("while", 3...): LiveInspection.run(Array(arguments.dropFirst()))
default:
  fail("no such thing to do: \(arguments.joined(separator: " "))")
}
say("done")
